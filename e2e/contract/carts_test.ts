/** Chapter 9 of the contract, from outside: the email address typed at the checkout. */
import assert from "node:assert/strict";
import { type Answer, ANY_IP, anyEmail, anyIp, type Service, statements } from "./service.ts";

const STORED = '{"stored":true}';
const NOT_STORED = '{"stored":false}';

const { anywhere, here } = statements({
  config: `{ settings: { ${ANY_IP}, general: { modules: { carts: true } } } }`,
});

async function nonceOf(service: Service): Promise<string> {
  const { json } = await service.visit("/checkout-session", { ip: anyIp() });
  return json.nonce;
}

const type = (service: Service, nonce: string, email: unknown, ip = anyIp()) =>
  service.call("cart-email", { ip, headers: { "x-wp-nonce": nonce }, json: { email } });

const result = ({ status, text }: Answer) => `${status} ${text}`;

anywhere(
  "cart-email stores nothing without a valid nonce: 403, or 404 while the module is off",
  async (service) => {
    const nonces = ["", "x", "x.1.x", `${"A".repeat(22)}.${Date.now()}.${"A".repeat(43)}`];
    for (const nonce of nonces) {
      const { status, text } = await type(service, nonce, anyEmail());
      assert.ok(status === 404 || `${status} ${text}` === `403 ${NOT_STORED}`, `${status} ${text}`);
    }
  },
);

here("a nonce is valid only unchanged", "needs its own settings", async (service) => {
  const [one, two] = [await nonceOf(service), await nonceOf(service)];
  const [session, time, signature] = one.split(".") as [string, string, string];
  const others = [
    `${two.split(".")[0]}.${time}.${signature}`,
    `${session}.${Number(time) + 1}.${signature}`,
    `${session}.${time}.${two.split(".")[2]}`,
    `${session}.${time}`,
    `${one}=`,
    await service.token(),
  ];
  for (const nonce of others) {
    assert.equal(result(await type(service, nonce, anyEmail())), `403 ${NOT_STORED}`, nonce);
  }
  assert.equal(result(await type(service, one, anyEmail())), `200 ${STORED}`);
});

here(
  "an address is stored, and one that is invalid gets 200 and is not",
  "stores signups",
  async (service) => {
    const nonce = await nonceOf(service);
    const email = anyEmail();
    assert.equal(result(await type(service, nonce, email)), `200 ${STORED}`);
    assert.equal(result(await type(service, nonce, email)), `200 ${STORED}`);
    for (const invalid of ["", "x", "ann@", null, 1, [email], { email }, undefined]) {
      assert.equal(result(await type(service, nonce, invalid)), `200 ${NOT_STORED}`, JSON.stringify(invalid));
    }
    // A visitor learns nothing about an address that is subscribed or suppressed.
    for (const known of ["active@example.com", "bounced@example.com"]) {
      assert.equal(result(await type(service, nonce, known)), `200 ${STORED}`);
    }
  },
);

here("every refusal says that nothing was stored", "needs its own settings", async (service) => {
  const headers = { "x-wp-nonce": await nonceOf(service) };
  const post = (body: string) => service.call("cart-email", { ip: anyIp(), headers, body });
  assert.equal(result(await post("x".repeat(5_000))), `413 ${NOT_STORED}`);
  for (const body of ["[]", "{", "null"]) {
    const { text, status } = await post(body);
    assert.ok(status === 200 || status === 400, `${status}`);
    assert.equal(text, NOT_STORED, body);
  }
});

here("of 30 requests at once from one IP, exactly 20 are answered", "fills limits", async (service) => {
  const [nonce, ip] = [await nonceOf(service), anyIp()];
  const answers = await Promise.all(Array.from({ length: 30 }, () => type(service, nonce, anyEmail(), ip)));
  const results = answers.map(result);
  assert.equal(results.filter((each) => each === `200 ${STORED}`).length, 20);
  assert.equal(results.filter((each) => each === `429 ${NOT_STORED}`).length, 10);
  for (const { status, headers } of answers) {
    const wait = Number(headers.get("retry-after"));
    assert.ok(status === 200 || wait > 0 && wait <= 600, `${wait}`);
  }
});

here("of 12 requests at once for one mailbox, exactly 5 are stored", "fills limits", async (service) => {
  const nonce = await nonceOf(service);
  const name = anyEmail().split("@")[0]!;
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => type(service, nonce, `${name}+${index}@example.com`)),
  );
  const results = answers.map(result);
  assert.equal(results.filter((each) => each === `200 ${STORED}`).length, 5);
  assert.equal(results.filter((each) => each === `429 ${NOT_STORED}`).length, 7);
  assert.equal((await type(service, nonce, `${name}@other.example`)).status, 200);
});

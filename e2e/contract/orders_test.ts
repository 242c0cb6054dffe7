/** Chapter 11 of the contract, from outside: orders that a shop reports. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { type Answer, ANY_IP, anyEmail, anyIp, type Service, statements, until } from "./service.ts";

const SECRET = "a secret of the shop, for tests";
const LABEL = "Yes, write to me.";
const WHY = "needs its own settings";

const { here } = statements({
  config: `{ settings: { ${ANY_IP},
    general: { modules: { checkout: true, orderEmails: true } },
    checkout: { shop: "generic", secret: "${SECRET}" },
  } }`,
});

const hmac = (text: string, secret = SECRET) =>
  `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
const seconds = () => Math.floor(Date.now() / 1000);

let orders = 0;
const anyOrder = (email: string) => ({ id: `c-${++orders}`, status: "processing", email, total: 19.5 });

/** Sends a signed order, or one with other headers. */
async function report(
  service: Service,
  order: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = JSON.stringify(order);
  const time = headers["x-cfbe-timestamp"] ?? String(seconds());
  const answer = await service.visit("/shop-hook/generic", {
    ip: anyIp(),
    headers: {
      "content-type": "application/json",
      "x-cfbe-timestamp": time,
      "x-cfbe-signature": hmac(`${time}.${body}`),
      ...headers,
    },
    body,
    method: "POST",
  });
  assert.equal(answer.headers.get("cache-control"), "no-store");
  return answer;
}
const result = ({ status, json }: Answer) => `${status} ${json.action ?? json.ok}`;

here(
  "an order without the shop's signature of the last minutes gets 401 and has no effect",
  WHY,
  async (service) => {
    const email = anyEmail();
    const order = { ...anyOrder(email), optIn: true };
    const now = seconds();
    const sign = (time: number, body: unknown = order, secret?: string) =>
      hmac(`${time}.${JSON.stringify(body)}`, secret);
    const wrong: Record<string, string>[] = [
      { "x-cfbe-signature": "" },
      { "x-cfbe-signature": sign(now, order, "another secret, as long as it") },
      { "x-cfbe-signature": sign(now, { ...order, total: 1 }) },
      { "x-cfbe-signature": sign(now).slice(0, -1) },
      { "x-cfbe-signature": sign(now).replace("sha256=", "") },
      { "x-cfbe-timestamp": String(now - 301) },
      { "x-cfbe-timestamp": String(now + 330) },
      { "x-cfbe-timestamp": "" },
      { "x-cfbe-timestamp": `${now}.0` },
    ];
    for (const headers of wrong) {
      const { status, text } = await report(service, order, headers);
      assert.deepEqual([status, text], [401, '{"ok":false}'], JSON.stringify(headers));
    }
    assert.deepEqual([await service.status(email), await service.mails(email)], [[], []]);
  },
);

here(
  "an order whose buyer ticked the box signs them up once, with the text beside the box as proof, and each state is emailed once",
  WHY,
  async (service) => {
    const email = anyEmail();
    const order = { ...anyOrder(email), optIn: true, optInText: LABEL };
    const answers = await Promise.all([1, 2, 3].map(() => report(service, order)));
    assert.deepEqual(answers.map(result).toSorted(), ["200 accepted", "200 ignored", "200 ignored"]);
    await until("it is stored", async () => (await service.status(email)).length > 0);
    const { record, consents } = await service.stored(email);
    assert.deepEqual([record.source, consents.map(({ text }) => text)], ["checkout", [LABEL]]);
    await until("the first state is emailed", async () => (await service.mails(email)).length >= 2);
    assert.equal(result(await report(service, { ...order, status: "completed" })), "200 updated");
    assert.equal(result(await report(service, { ...order, status: "completed" })), "200 ignored");
    await until("both states are mailed", async () => (await service.mails(email)).length >= 3);
    const kinds = (await service.mails(email)).map(({ kind }) => kind);
    assert.equal(kinds.length, 3, `a confirmation, and an email for each state: ${kinds}`);
    assert.equal((await service.stored(email)).consents.length, 1);
  },
);

here("without the box ticked, or for an order that is off, nobody is signed up", WHY, async (service) => {
  const email = anyEmail();
  const others = [{}, { optIn: false }, { optIn: true, status: "cancelled" }, {
    optIn: true,
    status: "failed",
  }];
  for (const other of others) {
    assert.equal(
      (await report(service, { ...anyOrder(email), ...other })).status,
      200,
      JSON.stringify(other),
    );
  }
  const last = anyEmail();
  await report(service, { ...anyOrder(last), optIn: true });
  await until("a later one is signed up", async () => (await service.status(last)).length > 0);
  assert.deepEqual(await service.status(email), []);
});

here(
  "an order with impossible values gets 400 with the reason, and the log has no address",
  WHY,
  async (service) => {
    const email = anyEmail();
    const impossible: Record<string, unknown>[] = [
      { id: "" },
      { id: undefined },
      { status: "shipped" },
      { email: "ann" },
      { email: `${email},x@example.com` },
      { total: -1 },
      { total: 1_000_000_000_001 },
      { total: "19" },
      { optIn: "true" },
      { ip: "999.1.1.1" },
      { items: Array.from({ length: 501 }, (_, n) => ({ id: `${n}`, name: "A", quantity: 1, price: 1 })) },
    ];
    for (const values of impossible) {
      const { status, json } = await report(service, { ...anyOrder(email), ...values });
      const [name] = Object.keys(values);
      assert.equal(status, 400, name);
      assert.ok(json.ok === false && json.error.startsWith(name), JSON.stringify(json));
    }
    assert.deepEqual(await service.mails(email), []);
    assert.ok(!(await service.program.log()).includes(email));
  },
);

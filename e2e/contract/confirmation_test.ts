/** Chapter 7 of the contract, from outside: the webhook route, and the way from a signup to a confirmation. */
import assert from "node:assert/strict";
import { chunked, sendRaw } from "./raw.ts";
import {
  ANY_IP,
  anyEmail,
  anyIp,
  type Call,
  type Service,
  start,
  statements,
  until,
  visible,
} from "./service.ts";

const SECRET = "a-secret-for-webhooks-of-tests";
const API_KEY = "a-key-for-the-provider-of-tests";
const UNLIMITED = "filters: { cfbe_signup_site_limit: () => 0 }";

const QUEUED = '200 {"ok":true,"action":"queued"}';
const IGNORED = '200 {"ok":true,"action":"ignored"}';
const RECEIVED = '200 {"ok":true,"action":"received"}';
const REFUSED = '400 {"ok":false}';
const UNAUTHORIZED = '401 {"ok":false}';
const TOO_LARGE = '413 {"ok":false}';

const { anywhere, here } = statements({
  config: `{ settings: { ${ANY_IP} }, ${UNLIMITED} }`,
  env: { CFBE_WEBHOOK_SECRET: SECRET },
});
/** With a provider that has an API key, and that is down. */
const keyed = start({
  config: `{
    settings: {
      ${ANY_IP},
      general: {
        projectId: "p1",
        defaultList: "l1",
        knownLists: [{ id: "l1", name: "News", doubleOptIn: true }],
        modules: { webhooks: false },
      },
    },
    ${UNLIMITED},
  }`,
  env: {
    CFBE_PROVIDER: "bluefox",
    CFBE_PROVIDER_URL: "http://localhost:9",
    CFBE_PROVIDER_API_KEY: API_KEY,
  },
});

const BY_SECRET = { "x-cfbe-secret": SECRET };
const BY_KEY = { authorization: `Bearer ${API_KEY}` };

/** Calls the webhook route, and returns the status and the body. */
async function hook(service: Service, headers: Record<string, string>, payload: unknown, call: Call = {}) {
  const body = typeof payload === "string" ? { body: payload, method: "POST" } : { json: payload };
  const { status, text } = await service.call("provider-hook", { ip: anyIp(), headers, ...body, ...call });
  return `${status} ${text}`;
}

const subscription = (type: string, email: unknown, list: unknown, status: unknown = "active") => ({
  type,
  account: { _id: "a", name: "Another member" },
  subscription: { _id: "s", email, status, subscriberList: { _id: list, name: "News" } },
});
const step = (email: unknown) => ({ automationId: "a1", contactId: "c1", contact: { email, name: "Ann" } });

/** Signs up, and returns the address and its list once the confirmation email is in the inbox. */
async function pending(service: Service): Promise<{ email: string; list: string; link: string }> {
  const email = anyEmail();
  await service.signUp({ email });
  await until("the confirmation email arrives", async () => (await service.mails(email)).length > 0);
  const [mail, ...others] = await service.mails(email);
  assert.equal(others.length, 0);
  await untilStatus(service, email, "pending");
  return { email, list: (await service.stored(email)).record.list, link: mail!.links.confirm! };
}

const untilStatus = (service: Service, email: string, status: string) =>
  until(`${email} is ${status}`, async () => (await service.stored(email)).record.status === status);

/** Opens a link of an email, as the person does. */
async function open(link: string): Promise<void> {
  const response = await fetch(link);
  await response.body?.cancel();
  assert.equal(response.status, 200);
}

anywhere(
  "a call without a valid credential gets 401, always the same, whatever it sends",
  async (service) => {
    const wrong: Record<string, string>[] = [
      {},
      { authorization: "Bearer " },
      { authorization: "Bearer" },
      { authorization: "Bearer wrong" },
      { authorization: "Basic d3Jvbmc6d3Jvbmc=" },
      { "x-cfbe-secret": "" },
      { "x-cfbe-secret": "wrong" },
      { "x-forwarded-authorization": "Bearer wrong" },
      { authorization: "Bearer wrong", "x-cfbe-secret": "wrong" },
    ];
    const first = await service.call("provider-hook", { json: {}, ip: anyIp() });
    assert.equal(`${first.status} ${first.text}`, UNAUTHORIZED);
    const json = subscription("subscribe", "ann@example.com", "l1");
    for (const headers of wrong) {
      const answer = await service.call("provider-hook", { json, headers, ip: anyIp() });
      assert.deepEqual(visible(answer), visible(first));
    }
  },
);

here(
  "near misses of the key and the secret get 401 too, each in the other's header",
  "needs its secrets",
  async (service) => {
    const misses = (
      right: string,
    ) => [right.slice(0, -1), `${right}x`, right.toUpperCase(), `x${right}`, `"${right}"`];
    for (const text of [...misses(SECRET), API_KEY]) {
      assert.equal(await hook(service, { "x-cfbe-secret": text }, { type: "open" }), UNAUTHORIZED, text);
    }
    for (const text of [...misses(API_KEY), SECRET, "", "undefined", "null"]) {
      for (const header of ["authorization", "x-forwarded-authorization"]) {
        assert.equal(
          await hook(keyed(), { [header]: `Bearer ${text}` }, { type: "open" }),
          UNAUTHORIZED,
          text,
        );
      }
    }
    // Without a secret in the settings, no value of the header is one, and neither is an empty key.
    for (const text of ["", "undefined", "null", SECRET]) {
      assert.equal(await hook(keyed(), { "x-cfbe-secret": text }, { type: "open" }), UNAUTHORIZED, text);
    }
    for (const text of ["", "undefined", API_KEY]) {
      assert.equal(
        await hook(service, { authorization: `Bearer ${text}` }, { type: "open" }),
        UNAUTHORIZED,
        text,
      );
    }
  },
);

here("the API key and the secret are each valid for either payload", "needs its secrets", async (service) => {
  for (const [each, headers] of [[service, BY_SECRET], [keyed(), BY_KEY]] as const) {
    assert.equal(await hook(each, headers, { type: "open" }), RECEIVED);
    assert.equal(await hook(each, headers, step(anyEmail())), IGNORED);
  }
});

here("if a proxy hides Authorization, X-Forwarded-Authorization counts", "needs its secrets", async () => {
  const headers = { "x-forwarded-authorization": `Bearer ${API_KEY}` };
  assert.equal(await hook(keyed(), headers, { type: "open" }), RECEIVED);
  assert.equal(await hook(keyed(), { ...headers, authorization: "Basic eDp5" }, { type: "open" }), RECEIVED);
});

here(
  "a body of 65,536 bytes is read, one of 65,537 gets 413, whatever its Content-Length",
  "needs its secrets",
  async (service) => {
    const body = (length: number) => `{"type":"open","x":"`.padEnd(length - 2, "x") + `"}`;
    assert.equal(await hook(service, BY_SECRET, body(65_536)), RECEIVED);
    assert.equal(await hook(service, BY_SECRET, body(65_537)), TOO_LARGE);
    assert.equal(await hook(service, BY_SECRET, body(65_534).replace("x", "ü")), RECEIVED);
    const { port } = service.program;
    const head = ["POST /wp-json/cfbe/v1/provider-hook HTTP/1.1", `X-CFBE-Secret: ${SECRET}`];
    for (const [length, expected] of [[65_536, RECEIVED], [65_537, TOO_LARGE]] as const) {
      const { status, text } = await sendRaw(
        port,
        [...head, "Transfer-Encoding: chunked"],
        chunked(body(length), 1_000),
      );
      assert.equal(`${status} ${text}`, expected);
    }
    const lying = await sendRaw(port, [...head, "Content-Length: 70000"], body(70_000));
    assert.equal(`${lying.status} ${lying.text}`, TOO_LARGE);
  },
);

here(
  "of several errors, the response is the first of 429, 401, 413 and 400",
  "fills limits",
  async (service) => {
    const large = "x".repeat(70_000);
    assert.equal(await hook(service, {}, large), UNAUTHORIZED);
    assert.equal(await hook(service, BY_SECRET, large), TOO_LARGE);
    const ip = anyIp();
    await Promise.all(Array.from({ length: 60 }, () => hook(service, {}, {}, { ip })));
    for (const headers of [{}, BY_SECRET]) {
      for (const payload of [large, step("x"), {}]) {
        assert.equal(await hook(service, headers, payload, { ip }), '429 {"ok":false}');
      }
    }
  },
);

here(
  "an automation payload without a valid email, and a body that is not an object, get 400",
  "needs its secrets",
  async (service) => {
    for (const email of ["x", "", null, undefined, 1, ["ann@example.com"]]) {
      assert.equal(await hook(service, BY_SECRET, step(email)), REFUSED, `${email}`);
    }
    assert.equal(await hook(service, BY_SECRET, { automationId: "a1", contactId: "c1" }), REFUSED);
    for (const body of ["", "{", "[]", "null", "1", "type=open"]) {
      assert.equal(await hook(service, BY_SECRET, body), REFUSED, body);
    }
  },
);

here(
  "what each payload leads to, with and without a signup of the address",
  "needs its secrets",
  async (service) => {
    const { email, list } = await pending(service);
    const stranger = anyEmail();
    const table: [unknown, string][] = [
      [subscription("subscribe", email, list), QUEUED],
      [subscription("resubscribe", email, list), QUEUED],
      [subscription("subscribe", email.toUpperCase(), list), QUEUED],
      [subscription("subscribe", email, list, "unconfirmed"), IGNORED],
      [subscription("subscribe", email, list, null), IGNORED],
      [subscription("subscribe", email, "another"), IGNORED],
      [subscription("resubscribe", email, undefined), IGNORED],
      [subscription("subscribe", stranger, list), IGNORED],
      [subscription("subscribe", undefined, list), IGNORED],
      [subscription("subscribe", "x", list), IGNORED],
      [subscription("unsubscribe", email, list, "unsubscribed"), RECEIVED],
      [subscription("pause-subscription", email, list, "paused"), RECEIVED],
      [subscription("unsubscribe", email, "another", "unsubscribed"), IGNORED],
      [{ type: "bounce", emailData: { to: email } }, RECEIVED],
      [{ type: "bounce", emailData: { to: email }, automationId: "a1" }, RECEIVED],
      [{ ...subscription("subscribe", email, list), automationId: "a1" }, QUEUED],
      [{ ...subscription("subscribe", email, "another"), ...step(email) }, IGNORED],
      [{ type: "open", emailData: { to: stranger } }, RECEIVED],
      [{ type: "constructor" }, RECEIVED],
      [step(email), QUEUED],
      [step(` ${email.toUpperCase()} `), QUEUED],
      [step(stranger), IGNORED],
      [{}, IGNORED],
      [{ contact: { email } }, IGNORED],
    ];
    for (const [payload, expected] of table) {
      assert.equal(await hook(service, BY_SECRET, payload), expected, JSON.stringify(payload));
    }
  },
);

here("a webhook that nobody's click caused confirms nothing", "needs its secrets", async (service) => {
  const { email, list } = await pending(service);
  assert.equal(await hook(service, BY_SECRET, subscription("subscribe", email, list)), QUEUED);
  assert.equal(await hook(service, BY_SECRET, step(email)), QUEUED);
  await service.cfbe("poll");
  assert.equal((await service.stored(email)).record.status, "pending");
});

here(
  "a person signs up, clicks the link in the email, and the webhook makes the signup active",
  "needs the sandbox provider",
  async (service) => {
    const { email, link } = await pending(service);
    await open(link);
    await untilStatus(service, email, "active");
    const { json } = await service.visit("/sandbox/webhook.json");
    assert.ok(JSON.stringify(json.deliveries).includes(email));
    // Another click changes nothing, and sends nothing.
    await open(link);
    assert.equal((await service.stored(email)).record.status, "active");
    assert.equal((await service.mails(email)).filter(({ kind }) => kind === "confirmation").length, 1);
  },
);

here(
  "without any webhook, the poll finds the confirmation",
  "needs the sandbox provider",
  async (service) => {
    const { email, link } = await pending(service);
    await service.visit("/sandbox/faults", { json: { webhooks: "lose" } });
    await open(link);
    assert.equal((await service.stored(email)).record.status, "pending");
    await service.cfbe("poll");
    await untilStatus(service, email, "active");
    await service.visit("/sandbox/faults", { json: { webhooks: "deliver" } });
  },
);

here(
  "with the module off, while the provider is down, the route answers the same",
  "needs its own settings",
  async () => {
    const email = anyEmail();
    assert.equal((await keyed().signUp({ email })).status, 200);
    assert.equal(await hook(keyed(), BY_KEY, subscription("subscribe", email, "l1")), QUEUED);
    assert.equal(await hook(keyed(), BY_KEY, subscription("subscribe", email, "l2")), IGNORED);
    assert.equal(await hook(keyed(), BY_KEY, step(email)), QUEUED);
    assert.equal((await keyed().stored(email)).record.status, "queued");
  },
);

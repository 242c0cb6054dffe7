import assert from "node:assert/strict";
import { OrderSchema } from "../../shops/systems/order.ts";
import { API_KEY, harness, LIST } from "../../../dev/testing/harness.ts";
import type { ConfigFile } from "./config_file.ts";
import type { SignupDraft } from "./hooks.ts";

const ADA = { email: "ada@example.com" };
const withSignup = (cfbe_signup: NonNullable<ConfigFile["filters"]>["cfbe_signup"]) =>
  harness({ file: { filters: { cfbe_signup: cfbe_signup! } } });

Deno.test("a signup that the filter rejects gets the same response as any other, is counted as dropped, and stores nothing", async () => {
  await using app = await withSignup(({ email, ...signup }) =>
    !email.startsWith("eve@") && { email, ...signup }
  );
  const read = async (response: Response) => {
    response.headers.delete("x-request-id");
    return [response.status, [...response.headers], await response.text()];
  };
  assert.deepEqual(await read(await app.post({ email: "eve@example.com" })), await read(await app.post(ADA)));
  await app.work();
  assert.equal(await app.record("eve@example.com"), null);
  assert.equal((await app.record(ADA.email))?.status, "pending");
  const { requests, accepted, "dropped.filter": dropped } = await app.services.counters.totals();
  assert.deepEqual([requests, accepted, dropped], [2, 1, 1]);
});

Deno.test("a rejected signup counts toward every limit, so that no limit distinguishes it from an accepted one", async () => {
  await using app = await withSignup(() => false);
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) {
    const response = await app.post(ADA, { peer: `192.0.2.${i}` });
    statuses.push(response.status);
    await response.body?.cancel();
  }
  assert.deepEqual(statuses, [200, 200, 200, 429]);
});

Deno.test("the filter is not called for a request over a limit", async () => {
  let calls = 0;
  await using app = await withSignup((signup) => (calls++, signup));
  for (let i = 0; i < 9; i++) await (await app.post({ email: `v${i}@example.com` })).body?.cancel();
  assert.equal(calls, 5);
});

Deno.test("the filter can change list, tags and name, and nothing else", async () => {
  const seen: SignupDraft[] = [];
  await using app = await withSignup((signup) => {
    seen.push(signup);
    return { ...signup, email: "eve@example.com", list: "other", tags: ["x"], name: "Ada L." };
  });
  await (await app.post(ADA)).body?.cancel();
  await app.work();
  assert.equal(await app.record(ADA.email), null);
  const record = await app.record(ADA.email, "other");
  assert.deepEqual([record?.tags, record?.name, record?.status], [["x"], "Ada L.", "pending"]);
  assert.deepEqual(seen, [
    { ...ADA, list: LIST, tags: [], source: "shortcode", consent: false, ip: "192.0.2.1" },
  ]);
});

Deno.test("an invalid result is ignored and logged, and the next listener gets the previous value", async () => {
  const nonsense = [null, 7, "no", [], {}, { list: "", tags: [] }, { list: "a", tags: "t" }, { list: "a" }];
  await using app = await withSignup([
    ...nonsense.map((result) => () => result as unknown as SignupDraft),
    (signup) => ({ ...signup, tags: [...signup.tags, "last"] }),
  ]);
  await (await app.post(ADA)).body?.cancel();
  assert.deepEqual((await app.record(ADA.email))?.tags, ["last"]);
  assert.equal(app.log.of("hook.invalid_result").length, nonsense.length);
});

Deno.test("the filter is also called for signups of accounts and integrations, and they get the same response", async () => {
  const sources: string[] = [];
  const apiToken = "a token of sixteen".replaceAll(" ", "-");
  await using app = await harness({
    env: { CFBE_API_TOKEN: apiToken },
    file: { filters: { cfbe_signup: ({ source }) => (sources.push(source), false) } },
  });
  const response = await app.fetch("/integrations/signup", {
    method: "POST",
    headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
    body: JSON.stringify({ source: "account", ...ADA }),
  });
  assert.deepEqual([response.status, (await response.json()).code], [200, "pending"]);
  assert.deepEqual(sources, ["account"]);
  assert.equal(await app.record(ADA.email), null);
});

Deno.test("the provider gets the filtered tags, and the record keeps the chosen ones", async () => {
  await using app = await harness({
    file: { filters: { cfbe_tags: (tags, context) => [...tags, `for-${context.for}`, context.list!] } },
  });
  const sent: string[][] = [];
  const { subscribe } = app.provider;
  app.provider.subscribe = (target, person) => (sent.push(person.tags), subscribe(target, person));
  await (await app.post(ADA)).body?.cancel();
  await app.work();
  assert.deepEqual(sent, [["for-signup", LIST]]);
  assert.deepEqual((await app.record(ADA.email))?.tags, []);
});

Deno.test("a contact's tags and an order email's data go through their filters", async () => {
  await using app = await harness({
    settings: {
      general: { apiKey: API_KEY, defaultList: LIST, modules: { contactSync: true, orderEmails: true } },
      orders: { templates: { processing: "thanks" } },
    },
    file: {
      filters: {
        cfbe_tags: (tags, context) => [...tags, context.for],
        cfbe_mail_data: (data, { kind, template }) => ({ ...data, greeting: `${kind} ${template}` }),
      },
    },
  });
  await app.services.orders.accept(
    OrderSchema.parse({ id: "1", status: "processing", email: ADA.email, total: 1 }),
  );
  await app.work();
  assert.deepEqual(app.provider.contacts.get(ADA.email)?.tags, ["customer", "contact"]);
  assert.equal(app.provider.transactional[0]?.data["greeting"], "order thanks");
});

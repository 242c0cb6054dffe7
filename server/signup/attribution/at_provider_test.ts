import assert from "node:assert/strict";
import type { NewPerson, SubscribeResult } from "../../providers/port/port.ts";
import { harness } from "../../../dev/testing/harness.ts";

/** Where signups came from, in fields at the provider. */

const ADA = "ada@example.com";
const page = {
  path: "/blog/tea",
  referrer: "https://news.example",
  utm: { source: "mail", campaign: "spring", term: "green" },
};
const CHOSEN = { page: "LANDING_PAGE", referrer: "referrer", utm_campaign: "campaign" };
const fields = [{ name: "size", kind: "select", label: "Size", options: ["s", "l"] }];

/** Signs up with the form `club`, which remembers its page unless `attribution` is false. */
async function world(
  { attributionFields = {}, attribution = true, results = [] }: {
    attributionFields?: Record<string, string>;
    attribution?: boolean;
    results?: SubscribeResult[];
  } = {},
) {
  const settings = {
    form: { attributionFields },
    forms: { forms: [{ name: "club", attribution, fields }] },
  };
  const app = await harness({ settings: settings as never });
  const people: NewPerson[] = [];
  const { subscribe } = app.provider;
  app.provider.subscribe = (target, person) => {
    people.push(person);
    return results.length > 0 ? Promise.resolve(results.shift()!) : subscribe(target, person);
  };
  return {
    app,
    properties: () => people.map(({ properties }) => properties),
    async signUp(more: Record<string, unknown> = {}) {
      const { forms } = await (await app.fetch("/cfbe.json")).json();
      const response = await app.post({ email: ADA, form: "club", page, cfbe_cfg: forms.club.cfg, ...more });
      await app.work();
      return [response.status, await response.text()];
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

Deno.test("unless the settings name a field at the provider, it does not get where a signup came from", async () => {
  await using w = await world();
  await w.signUp();
  assert.deepEqual(w.properties(), [undefined]);
  assert.deepEqual((await w.app.record(ADA))?.page, page);
});

Deno.test("the provider gets the values whose fields the settings name, and no others", async () => {
  await using w = await world({ attributionFields: { ...CHOSEN, utm_medium: "medium" } });
  await w.signUp({ fields: { size: "l" } });
  assert.deepEqual(w.properties(), [
    { LANDING_PAGE: "/blog/tea", referrer: "https://news.example", campaign: "spring", size: "l" },
  ]);
});

Deno.test("an answer of the visitor is not replaced by where they came from", async () => {
  await using w = await world({ attributionFields: { utm_campaign: "size" } });
  await w.signUp({ fields: { size: "l" } });
  assert.deepEqual(w.properties(), [{ size: "l" }]);
});

Deno.test("a form that does not remember where signups came from sends nothing of it", async () => {
  await using w = await world({ attributionFields: CHOSEN, attribution: false });
  await w.signUp();
  assert.deepEqual(w.properties(), [undefined]);
});

Deno.test("a provider that refuses the fields loses no signup, and the visitor sees the same response", async () => {
  const refusals: SubscribeResult[] = [
    { kind: "refused", reason: "LANDING_PAGE is a date" },
    { kind: "trouble", code: "forbidden", reason: "may not create fields", unknown: false },
  ];
  await using plain = await world();
  const usual = await plain.signUp();
  for (const refusal of refusals) {
    await using w = await world({ attributionFields: CHOSEN, results: [refusal] });
    assert.deepEqual(await w.signUp(), usual);
    assert.deepEqual(w.properties().map((each) => each && Object.keys(each).length), [3, undefined]);
    assert.equal((await w.app.record(ADA))?.status, "pending");
  }
});

Deno.test("pages do not learn the names of the provider's fields", async () => {
  await using w = await world({ attributionFields: CHOSEN });
  assert.doesNotMatch(await (await w.app.fetch("/cfbe.json")).text(), /LANDING_PAGE|attributionFields/);
});

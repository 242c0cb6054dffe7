import assert from "node:assert/strict";
import { stubProvider } from "../../../dev/testing/stub_provider.ts";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import type { NewPerson, Provider, SubscribeResult } from "../../providers/port/port.ts";
import { deliver } from "./delivery.ts";
import { propertiesOf } from "./properties.ts";

const ADA = "ada@example.com";
const fields = [
  { name: "size", kind: "select", label: "Size", options: ["s", "l"], provider: "SHIRT_SIZE" },
  { name: "guests", kind: "number", label: "Guests" },
  { name: "topics", kind: "multiSelect", label: "Topics", options: ["tea", "cake"] },
  { name: "sms", kind: "consent", label: "Text me." },
];

/** Returns a provider that remembers whom it subscribed, and answers as scripted. */
function recorder(results: SubscribeResult[], capable = true) {
  const stub = stubProvider(new ManualClock());
  const people: NewPerson[] = [];
  const provider: Provider = {
    ...stub,
    capabilities: { ...stub.capabilities, properties: capable && stub.capabilities.properties },
    subscribe(target, person) {
      people.push(person);
      return results.length > 0 ? Promise.resolve(results.shift()!) : stub.subscribe(target, person);
    },
  };
  return { provider, people };
}
const person = { tags: [], properties: { SHIRT_SIZE: "l" } };
const attempt = (provider: Provider) => ({
  provider,
  sender: provider,
  target: { email: ADA, list: "list-1" },
  person,
  unknown: false,
  known: undefined,
  takeMarker: () => Promise.resolve(true),
  earlier: {},
  beginMail: () => Promise.resolve(),
});

Deno.test("the provider gets a signup's fields by the names that the form's settings choose", async () => {
  await using app = await harness({ settings: { forms: { forms: [{ name: "club", fields }] } } as never });
  const people: NewPerson[] = [];
  const { subscribe } = app.provider;
  app.provider.subscribe = (target, person) => {
    people.push(person);
    return subscribe(target, person);
  };
  const answers = { size: "l", guests: 2, topics: ["cake", "tea"], sms: true };
  assert.equal((await app.post({ email: ADA, form: "club", fields: answers })).status, 200);
  await app.work();
  assert.deepEqual(people.map(({ properties }) => properties), [
    { SHIRT_SIZE: "l", guests: 2, topics: "tea, cake", sms: "yes" },
  ]);
});

Deno.test("a signup whose properties the provider rejects is delivered without them", async () => {
  const rejections: SubscribeResult[] = [
    { kind: "refused", reason: "attribute SHIRT_SIZE is a date" },
    { kind: "trouble", code: "forbidden", reason: "may not create attributes", unknown: false },
    { kind: "trouble", code: "unexpected", reason: "HTTP 400", unknown: false },
  ];
  for (const rejection of rejections) {
    const { provider, people } = recorder([rejection]);
    assert.partialDeepStrictEqual(await deliver(attempt(provider)), {
      kind: "delivered",
      outcome: "pending",
    });
    assert.deepEqual(people, [person, { tags: [] }]);
  }
});

Deno.test("an outage is no rejection of the properties: the next attempt sends them again", async () => {
  for (
    const [code, unknown] of [["unavailable", false], ["rate_limited", false], ["unexpected", true]] as const
  ) {
    const { provider, people } = recorder([{ kind: "trouble", code, reason: "HTTP 503", unknown }]);
    assert.equal((await deliver(attempt(provider))).kind, "trouble");
    assert.deepEqual(people, [person]);
  }
});

Deno.test("a provider that stores no properties gets none", async () => {
  const { provider, people } = recorder([], false);
  await deliver(attempt(provider));
  assert.deepEqual(people, [{ tags: [] }]);
});

Deno.test("a field of a kind that the provider has its own field for goes there, unless the form names another", () => {
  const own = { firstName: "FNAME", lastName: "LNAME" };
  const settings = {
    form: { attributionFields: {} },
    forms: {
      forms: [{
        name: "club",
        fields: [
          { name: "given", kind: "firstName" },
          { name: "family", kind: "lastName", provider: "SURNAME" },
          { name: "mobile", kind: "phone" },
        ],
      }],
    },
    popup: {},
  } as never;
  const record = { form: "club", fields: { given: "Ada", family: "Lovelace", mobile: "+441" } };
  assert.deepEqual(propertiesOf(settings, record, { called: "merge field", mustExist: true, own }), {
    FNAME: "Ada",
    SURNAME: "Lovelace",
    mobile: "+441",
  });
  assert.deepEqual(Object.keys(propertiesOf(settings, record, false)!), ["given", "SURNAME", "mobile"]);
});

Deno.test("the provider gets the path of a page without segments that could be web addresses", () => {
  const settings = SettingsSchema.parse({ form: { attributionFields: { page: "PAGE" } } });
  const pageOf = (path: string) => propertiesOf(settings, { page: { path } })?.["PAGE"];
  for (
    const [path, sent] of [
      ["/www.evil.com/claim-now", "/*/claim-now"],
      ["/win/EVIL.QQ/now", "/win/*/now"],
      ["/EVIL.QQ", "/*"],
      ["/http:/evil.example", "/*/*"],
      ["/203.0.113.9", "/*"],
      ["/you won at evil.com", "/*"],
      ["/evil.com.html", "/*"],
    ]
  ) assert.equal(pageOf(path!), sent, path);
  for (const path of ["/", "/blog/tea", "/tea.html", "/shop/index.php", "/v1.2/tea_2026.aspx", "/*/tea"]) {
    assert.equal(pageOf(path), path);
  }
});

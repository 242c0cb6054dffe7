import assert from "node:assert/strict";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { en } from "../../../shared/texts/en.ts";
import { exportSearch } from "../../subscribers/bulk/export_search.ts";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import type { SignupExport } from "../../subscribers/privacy/signup_data.ts";

/** Fields of forms in addition to those of the contract. */

const ADA = "ada@example.com";
const SMS = "Text me offers. See the [terms](https://shop.example/sms).";
const settings = {
  form: {
    fields: [{ name: "company", kind: "text", label: "Company", max: 20 }],
    locales: { de: { fields: [{ name: "company", label: "Firma" }] } },
  },
  forms: {
    forms: [
      {
        name: "club",
        fields: [
          { name: "first_name", kind: "firstName", required: true },
          { name: "size", kind: "select", label: "Size", options: ["s", "l"] },
          { name: "sms", kind: "consent", label: SMS },
          { name: "campaign", kind: "hidden", from: "query", key: "utm_campaign" },
        ],
      },
      { name: "plain", fields: [] },
    ],
  },
};
const start = () => harness({ settings: structuredClone(settings) as never });
const shown = async (app: Harness, locale = "en"): Promise<PublicSettings> =>
  await (await app.fetch(`/cfbe.json?locale=${locale}`)).json();
const statusOf = async (app: Harness, email = ADA) => (await signupStatuses(app.services, email))![0]!;
const club = (fields: unknown, more = {}) => ({ email: ADA, form: "club", fields, ...more });

Deno.test("a form's fields are stored in the record, valid ones only, and unknown ones are ignored", async () => {
  await using app = await start();
  const fields = { first_name: " Ada ", size: "l", campaign: "spring", company: "other form", admin: true };
  assert.equal((await app.post(club(fields))).status, 200);
  const { record } = await statusOf(app);
  assert.deepEqual(record.fields, { first_name: "Ada", size: "l", campaign: "spring" });
});

Deno.test("inherited names, lists, objects and unknown options give the fields nothing that they did not ask for", async () => {
  await using app = await start();
  const valid = { first_name: "Ada", size: "l" };
  const inherited = JSON.parse(
    '{"__proto__":{"first_name":"Eve","size":"l"},"constructor":"x","toString":1}',
  );
  const cases: [fields: unknown, invalid: string[]][] = [
    [inherited, ["first_name"]],
    ["first_name", ["first_name"]],
    [[valid], ["first_name"]],
    [null, ["first_name"]],
    [{ first_name: { toString: "Ada" }, size: "l" }, ["first_name"]],
    [{ first_name: [["Ada"]], size: ["xxl", "l"] }, ["first_name", "size"]],
    [{ ...valid, first_name: "x".repeat(201) }, ["first_name"]],
    [{ ...inherited, first_name: ["Ada", "Eve"], size: ["l", "xxl"] }, []],
  ];
  for (const [at, [fields, invalid]] of cases.entries()) {
    const email = `p${at}@example.com`;
    const response = await app.post(club(fields, { email }));
    const { fields: errors = {} } = await response.json();
    assert.deepEqual([response.status, Object.keys(errors)], [invalid.length ? 400 : 200, invalid], `${at}`);
    if (invalid.length === 0) assert.deepEqual((await statusOf(app, email)).record.fields, valid);
    await app.clock.advance(600_000);
  }
});

Deno.test("invalid fields are reported together with those of the contract, by name", async () => {
  await using app = await start();
  const response = await app.post(club({ size: "xxl" }, { email: "no" }));
  assert.equal(response.status, 400);
  assert.deepEqual(await response.json(), {
    success: false,
    code: "invalid",
    message: en.form.invalid,
    fields: { email: en.form.invalidEmail, first_name: en.form.missing, size: en.form.invalidInterests },
  });
  const totals = await app.services.counters.totals();
  assert.deepEqual([totals["note.invalid.email"], totals["note.invalid.other"]], [1, 1]);
});

Deno.test("pages that know no fields sign up as before, at forms that require none", async () => {
  await using app = await start();
  for (const fields of [undefined, null, "x", [], { company: "" }]) {
    assert.equal((await app.post({ email: ADA, fields }, { peer: "192.0.2.7" })).status, 200);
    await app.clock.advance(60 * 60 * 1000);
  }
  assert.equal((await statusOf(app)).record.fields, undefined);
});

Deno.test("a form inherits the fields of all forms until it has its own, and labels follow the language", async () => {
  await using app = await start();
  const english = await shown(app);
  assert.deepEqual(english.fields, [{ name: "company", kind: "text", label: "Company", max: 20 }]);
  assert.equal((await shown(app, "de")).fields![0]!.label, "Firma");
  assert.deepEqual(english.forms["plain"]!.fields, []);
  assert.equal("fields" in english.popup, false);
  const [first, size] = english.forms["club"]!.fields!;
  assert.deepEqual(first, { name: "first_name", kind: "firstName", label: "First name", required: true });
  assert.equal((await shown(app, "de")).forms["club"]!.fields![0]!.label, "Vorname");
  assert.deepEqual(size!.options, [{ value: "s", label: "s" }, { value: "l", label: "l" }]);
});

Deno.test("each consent among the fields is proved with the text that was shown, whether ticked or not", async () => {
  await using app = await harness();
  const save = (label: string) => {
    const fields = [{ name: "sms", kind: "consent", label }];
    return app.services.settings.save("forms", { forms: [{ name: "club", fields }] } as never);
  };
  await save(SMS);
  const { cfg } = (await shown(app)).forms["club"]!;
  await save("Changed.");
  for (
    const [fields, cfbe_cfg] of [[{ sms: true }, cfg], [
      { first_name: "Ada" },
      undefined,
    ]] as const
  ) {
    assert.equal((await app.post(club(fields, { cfbe_cfg }))).status, 200);
    await app.clock.advance(60 * 60 * 1000);
  }
  const { consents } = await statusOf(app);
  assert.deepEqual(
    consents.map(({ consents }) => consents?.map(({ field, given, text }) => [field, given, text]))
      .toReversed(),
    [[["sms", true, SMS]], [["sms", false, "Changed."]]],
  );
});

Deno.test("the CSV export has a column per field, the privacy export has every value and text, and erasure removes both", async () => {
  await using app = await start();
  await app.post(club({ first_name: "Ada", sms: true }));
  await app.work();
  const csv = await new Response(
    exportSearch(app.kv, { query: {} }, "csv", { fields: ["company", "sms"] }),
  ).text();
  const [head, row] = csv.split("\r\n");
  assert.match(head!, /,field_company,field_sms,other_fields$/);
  assert.match(row!, /,,yes,"{""first_name"":""Ada""}"$/);
  const [signup] = (await app.services.people.export(ADA)).held["signups"] as SignupExport[];
  assert.deepEqual(signup!.record!.fields, { first_name: "Ada", sms: true });
  assert.equal(signup!.consents[0]!.consents![0]!.text, SMS);
  await app.services.people.erase(ADA);
  assert.equal(/Ada|"first_name"/.test(await app.dump()), false);
});

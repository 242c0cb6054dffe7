import assert from "node:assert/strict";
import type { FieldKind } from "../../../shared/fields/kinds.ts";
import { FIELD_KINDS } from "../../../shared/fields/kinds.ts";
import { en } from "../../../shared/texts/en.ts";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";

/** A form with a field of every kind, on a page without JavaScript. */

const options = ["Small & light", "Large"];
const more: Partial<Record<FieldKind, object>> = {
  select: { options },
  radio: { options, required: true },
  multiSelect: { options },
  consent: { label: "Call me: [terms](https://shop.example/call)" },
  number: { min: 1, max: 9 },
  date: { withoutYear: true, help: "For a gift." },
  hidden: { key: "utm_source" },
};
const fields = Object.keys(FIELD_KINDS).map((kind) => ({
  name: `the_${kind.toLowerCase()}`,
  kind,
  label: `The ${kind}`,
  ...more[kind as FieldKind],
}));

async function open(clock = new ManualClock()) {
  const program = await startProgram({
    clock,
    file: { settings: { forms: { forms: [{ name: "all", fields }] } } as never },
  });
  const html = await (await fetch(`${program.baseUrl}/form/all?utm_source=mastodon`)).text();
  await clock.advance(3_000);
  return { program, html };
}

const hidden = (html: string, name: string) =>
  new RegExp(`name="${name.replace(/[[\]]/g, "\\$&")}" value="([^"]*)"`).exec(html)?.[1] ?? "";

async function submit(program: TestProgram, html: string, values: [string, string][]): Promise<string> {
  const body = new URLSearchParams([
    ["email", "ann@example.com"],
    ["cfbe_token", hidden(html, "cfbe_token")],
    ["cfbe_cfg", hidden(html, "cfbe_cfg")],
    ["fields[the_hidden]", hidden(html, "fields[the_hidden]")],
    ...values,
  ]);
  return await (await fetch(`${program.baseUrl}/form/all`, { method: "POST", body })).text();
}

Deno.test("the form page has every kind of field, and its values arrive as those of the widget do", async () => {
  const { program, html } = await open();
  await using _ = program;
  for (const { name } of fields) assert.ok(html.includes(`name="fields[${name}]"`), name);
  assert.match(html, /Call me: <a href="https:\/\/shop\.example\/call"/);
  assert.match(html, /<option value="Small &amp; light"/);
  assert.match(html, /<option value="DE" *>Germany<\/option>/);
  assert.match(html, /aria-label="Month"[^]*>July<[^]*aria-label="Day"/);

  const done = await submit(program, html, [
    ["fields[the_firstname]", "Ann"],
    ["fields[the_number]", "7"],
    ["fields[the_date]", "07"],
    ["fields[the_date]", "14"],
    ["fields[the_country]", "DE"],
    ["fields[the_radio]", "Large"],
    ["fields[the_multiselect]", "Large"],
    ["fields[the_multiselect]", "Small & light"],
    ["fields[the_consent]", "true"],
    ["fields[the_text]", ""],
  ]);
  assert.match(done, /check your inbox/);
  const [status] = (await signupStatuses(program.services, "ann@example.com"))!;
  assert.deepEqual(status!.record.fields, {
    the_firstname: "Ann",
    the_number: 7,
    the_date: "07-14",
    the_country: "DE",
    the_radio: "Large",
    the_multiselect: options,
    the_consent: true,
    the_hidden: "mastodon",
  });
});

Deno.test("an invalid field is marked and described, and what was entered is kept", async () => {
  const { program, html } = await open();
  await using _ = program;
  const again = await submit(program, html, [
    ["fields[the_number]", "70"],
    ["fields[the_date]", "02"],
    ["fields[the_date]", "30"],
    ["fields[the_text]", '"><script>'],
    ["fields[the_select]", "Large"],
  ]);
  assert.match(again, /aria-invalid="true" aria-describedby="the_number-error"/);
  assert.match(again, /aria-describedby="the_date-help the_date-error"/);
  assert.match(again, new RegExp(`id="the_radio-error">${en.form.invalidInterests}`));
  assert.match(again, /value="70"/);
  assert.match(again, /<option selected value="Large">/);
  assert.match(again, /value="&quot;>&lt;script>"/);
  assert.equal(hidden(again, "fields[the_hidden]"), "mastodon");
});

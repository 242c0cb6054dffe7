import assert from "node:assert/strict";
import { snippetsFor } from "../../admin/forms/snippets.ts";
import { startProgram } from "../../../dev/testing/program.ts";

/** The order of a form's fields wherever visitors see it. */

const size = { name: "size", kind: "text", label: "Size" };
const SETTINGS = {
  form: {
    nameField: "optional",
    interests: [{ tag: "tea", label: "Tea" }],
    consent: "required",
    consentText: "Yes.",
  },
  forms: {
    forms: [
      { name: "usual", fields: [size] },
      { name: "moved", fields: [size], order: ["name", "size", "gone", "email"] },
      { name: "same", fields: [size], order: ["email", "name"] },
    ],
  },
};
const MOVED = ["name", "size", "email", "interests"];
const USUAL = ["email", "name", "interests", "size"];

/** Returns the names of the inputs in HTML, each once. */
const inputsIn = (html: string) => [
  ...new Set(
    [...html.matchAll(/name="(?:fields\[)?(email|name|interests|size|consent)\]?"/g)].map(([, name]) => name),
  ),
];

Deno.test("widget, form page and own markup have the form's order, with the consent last", async () => {
  await using program = await startProgram({ file: { settings: SETTINGS as never } });
  const { baseUrl, services } = program;
  const { forms, order } = await (await fetch(`${baseUrl}/cfbe.json`)).json();
  assert.deepEqual([order, forms.usual.order, forms.same.order, forms.moved.order], [
    undefined,
    undefined,
    undefined,
    MOVED,
  ]);
  const settings = services.settings.current();
  for (const [name, expected] of [["usual", USUAL], ["same", USUAL], ["moved", MOVED]] as const) {
    const page = await (await fetch(`${baseUrl}/form/${name}`)).text();
    assert.deepEqual(inputsIn(page), [...expected, "consent"], name);
    const form = settings.forms.forms.find((each) => each.name === name)!;
    assert.deepEqual(inputsIn(snippetsFor(baseUrl, form, settings, ["en"], 0).own), [...expected, "consent"]);
  }
});

Deno.test("forms inherit the order, one can have the usual one again, and the snippet loads the code that orders", async () => {
  const file = {
    settings: {
      form: { nameField: "optional", order: ["name", "email"] },
      forms: { forms: [{ name: "inherits" }, { name: "usual", order: [] }] },
    },
  };
  await using program = await startProgram({ file: file as never });
  const { forms, order } = await (await fetch(`${program.baseUrl}/cfbe.json`)).json();
  assert.deepEqual([order, forms.inherits.order, forms.usual.order], [
    ["name", "email", "interests"],
    undefined,
    [],
  ]);
  const settings = program.services.settings.current();
  const { html } = snippetsFor(program.baseUrl, settings.forms.forms[0]!, settings, ["en"], 0);
  assert.match(html, /preload="fields"/);
});

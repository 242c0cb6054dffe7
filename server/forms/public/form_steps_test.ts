import assert from "node:assert/strict";
import { startProgram } from "../../../dev/testing/program.ts";

const SETTINGS = {
  form: { nameField: "optional", order: ["name", "email"] },
  forms: {
    forms: [{ name: "plain" }, { name: "button", steps: "button" }, { name: "email", steps: "email" }],
  },
  popup: { steps: "button" },
};

Deno.test("pages learn the steps of a form and of the popup, and an email address that is the first step comes first", async () => {
  await using program = await startProgram({ file: { settings: SETTINGS as never } });
  const { forms, popup, order } = await (await fetch(`${program.baseUrl}/cfbe.json`)).json();
  assert.deepEqual(order, ["name", "email", "interests"]);
  assert.deepEqual([forms.plain.steps, forms.button.steps, forms.email.steps, popup.steps], [
    undefined,
    "button",
    "email",
    "button",
  ]);
  assert.deepEqual([forms.plain.order, forms.button.order, forms.email.order], [undefined, undefined, []]);
});

Deno.test("the form page of a form in two steps shows everything at once", async () => {
  await using program = await startProgram({ file: { settings: SETTINGS as never } });
  for (const name of ["button", "email"]) {
    const page = await (await fetch(`${program.baseUrl}/form/${name}`)).text();
    assert.match(page, /name="email"/);
    assert.match(page, /name="name"/);
    assert.equal(page.match(/<button/g)!.length, 1);
    assert.doesNotMatch(page, /Continue|Step 2/);
  }
});

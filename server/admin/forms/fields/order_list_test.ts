import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

const company = { name: "company", kind: "text", label: "Company" };

async function signedIn() {
  const app = await adminHarness();
  const { settings } = app.services;
  await settings.save("forms", { forms: [{ name: "footer", fields: [company] }] } as never);
  const admin = await app.signIn();
  const send = async (fields: Record<string, string>) =>
    await (await admin.send("cfbe_edit_form", {
      _page: "/form-settings?form=footer",
      form: "footer",
      ...fields,
    })).text();
  return { app, admin, send, saved: () => settings.current().forms.forms[0]!.order };
}

/** Returns the rows that a page shows, and the inputs that it would send. */
const rowsOf = (html: string) =>
  [...html.matchAll(/name="fields\.order\.\d+" value="([^"]*)"/g)].map(([, name]) => name!);
const inputsOf = (rows: string[]) => ({
  "a:fields.order": "",
  ...Object.fromEntries(rows.map((name, at) => [`fields.order.${at}`, name])),
});

Deno.test("a form's order starts with the usual one, is moved with buttons that say what they move, and is saved", async () => {
  const { app, send, saved } = await signedIn();
  await using _ = app;
  const usual = ["email", "name", "interests", "company"];
  const own = await send({ _own: "fields.order" });
  assert.deepEqual(rowsOf(own), usual);
  assert.match(own, /Move Company \(Text\) up/);
  assert.doesNotMatch(own, /name="_remove" value="fields\.order/);
  const moved = await send({ ...inputsOf(usual), _up: "fields.order.1" });
  assert.deepEqual(rowsOf(moved), ["name", "email", "interests", "company"]);
  assert.match(moved, /name="_down" value="fields\.order\.0" autofocus/, "the focus stays at the row");
  assert.equal(saved(), undefined, "nothing is saved until Save");
  await send(inputsOf(rowsOf(moved)));
  assert.deepEqual(saved(), ["name", "email", "interests", "company"]);
  await send({ _inherit: "fields.order" });
  await send({ "o:fields.order": "" });
  assert.equal(saved(), undefined);
});

Deno.test("a new field is the last of an order of its own, and a removed one leaves it", async () => {
  const { app, admin, send } = await signedIn();
  await using _ = app;
  await send(inputsOf(["company", "name", "email", "interests"]));
  await app.services.settings.save("forms", {
    forms: [{
      name: "footer",
      fields: [{ name: "size", kind: "text", label: "Size" }, { name: "ref", kind: "hidden", key: "ref" }],
      order: ["company", "name", "email", "interests"],
    }],
  } as never);
  const { html } = await admin.page("/form-settings?form=footer");
  assert.deepEqual(rowsOf(html), ["name", "email", "interests", "size"]);
});

Deno.test("an order with a field twice, or with what is no name, is refused", async () => {
  const { app, send, saved } = await signedIn();
  await using _ = app;
  assert.match(await send(inputsOf(["email", "email"])), /Has a field twice/);
  assert.match(await send(inputsOf(["<b>"])), /Must be the name of a field/);
  assert.equal(saved(), undefined);
});

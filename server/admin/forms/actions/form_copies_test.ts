import assert from "node:assert/strict";
import { formDraftKey } from "../../../settings/forms/form_drafts.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

async function world() {
  const app = await adminHarness({ settings: {} });
  const admin = await app.signIn();
  const { settings } = app.services;
  const send = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, { _page: "/forms", ...fields }, { accept: "application/json" });
    return { status: response.status, ...await response.json() as { message: string } };
  };
  return { app, send, settings, forms: () => settings.current().forms.forms };
}

Deno.test("a copy of a form has its texts in every language, and is a draft without schedule", async () => {
  const { app, send, settings, forms } = await world();
  await using _ = app;
  await settings.save("forms", {
    forms: [{ name: "footer", tags: ["spring"], heading: "Hello", schedule: { from: "2026-12-01T09:00" } }],
  });
  await settings.save("form", {
    locales: { de: { texts: { button: "Los" }, forms: [{ name: "footer", heading: "Hallo" }] } },
  });
  assert.equal((await send("cfbe_duplicate_form", { form: "footer" })).status, 200);
  assert.equal((await send("cfbe_duplicate_form", { form: "footer" })).status, 200);
  const [original, copy, second] = forms();
  assert.deepEqual(copy, {
    name: "copy-of-footer",
    title: "Copy of footer",
    layout: "inline",
    list: "",
    tags: ["spring"],
    targeting: [],
    heading: "Hello",
    status: "draft",
  });
  assert.equal(original!.status, undefined);
  assert.equal(second!.name, "copy-of-footer-2");
  const { de } = settings.current().form.locales;
  assert.deepEqual(de!.forms!.map(({ name, heading }) => [name, heading]), [
    ["footer", "Hallo"],
    ["copy-of-footer", "Hallo"],
    ["copy-of-footer-2", "Hallo"],
  ]);
  assert.equal(de!.texts.button, "Los");
});

Deno.test("a copy of a form has its unpublished changes, in every language, but no image that is not described yet", async () => {
  const { app, send, settings, forms } = await world();
  await using _ = app;
  await settings.save("forms", { forms: [{ name: "footer", heading: "Hello", button: "Join" }] });
  await app.services.kv.set(formDraftKey({ name: "footer" }), {
    ...{
      v: 1,
      by: "ann",
      at: 1,
      values: { heading: "Changed", button: "Join" },
      texts: { de: { heading: "Neu" } },
    },
    image: { id: "0".repeat(32), alt: "", width: 1, height: 1, place: "top", undescribed: true },
  } as never);
  const { message } = await send("cfbe_duplicate_form", { form: "footer" });
  assert.match(message, /^Copy of footer was added as a draft\. The image stays with the original/);
  const [original, copy] = forms();
  assert.deepEqual([copy!.heading, copy!.button, copy!.design?.image], ["Changed", "Join", undefined]);
  assert.equal(original!.heading, "Hello");
  assert.deepEqual(settings.current().form.locales["de"]?.forms, [{
    name: "copy-of-footer",
    heading: "Neu",
  }]);
});

Deno.test("a copy of a form whose unpublished changes have become invalid lacks them, and the message says so", async () => {
  const { app, send, settings, forms } = await world();
  await using _ = app;
  await settings.save("forms", { forms: [{ name: "footer", heading: "Hello" }] });
  const draft = { v: 1 as const, by: "ann", at: 1, values: { heading: "Changed", button: "x".repeat(61) } };
  await app.services.kv.set(formDraftKey({ name: "footer" }), draft);
  const { status, message } = await send("cfbe_duplicate_form", { form: "footer" });
  assert.equal(status, 200);
  assert.equal(
    message,
    "Copy of footer was added as a draft. The unpublished changes were left out, because they have become invalid: " +
      "correct them on the page of the original.",
  );
  assert.equal(forms()[1]!.heading, "Hello");
});

Deno.test("a copy of a form has no experiment, and says so, in whatever state that of the original is", async () => {
  const { app, send, settings, forms } = await world();
  await using _ = app;
  const variants = ["a", "b"].map((id) => ({ id, name: id, weight: 1, overrides: {} }));
  for (const state of ["draft", "running", "stopped"]) {
    const experiment = { id: "x", state, ...state !== "draft" && { startedAt: 1 }, variants };
    await settings.save("forms", { forms: [{ name: "footer", experiment }, { name: "plain" }] } as never);
    const { message } = await send("cfbe_duplicate_form", { form: "footer" });
    assert.equal(
      message,
      "Copy of footer was added as a draft. It has no experiment: that stays with the original.",
    );
    assert.equal(forms().at(-1)!.experiment, undefined, state);
    assert.equal(forms()[0]!.experiment?.state, state);
  }
  assert.equal(
    (await send("cfbe_duplicate_form", { form: "plain" })).message,
    "Copy of plain was added as a draft.",
  );
});

Deno.test("a form is paused and resumed, which the audit log shows", async () => {
  const { app, send, settings, forms } = await world();
  await using _ = app;
  await settings.save("forms", { forms: [{ name: "footer" }] });
  assert.match(
    (await send("cfbe_set_form_status", { form: "footer", status: "paused" })).message,
    /is paused/,
  );
  assert.equal(forms()[0]!.status, "paused");
  const { rows } = await app.services.admin.audit.list();
  const entry = rows.find(({ action }) => action === "cfbe_set_form_status")!;
  assert.deepEqual(entry.changes, [{ path: "forms[footer].status", after: "paused" }]);
  assert.equal((await send("cfbe_set_form_status", { form: "footer", status: "live" })).status, 200);
  assert.deepEqual(forms()[0], { name: "footer", layout: "inline", list: "", tags: [], targeting: [] });
  assert.equal((await send("cfbe_set_form_status", { form: "gone", status: "live" })).status, 404);
});

Deno.test("saving a form without a schedule stores none, and an invalid one is refused at its field", async () => {
  const { app, send, settings, forms } = await world();
  await using _ = app;
  await settings.save("forms", { forms: [{ name: "footer", schedule: { from: "2026-12-01T09:00" } }] });
  const fields = (from: string, until: string) => ({
    form: "footer",
    "o:fields.schedule.from": from,
    "o:fields.schedule.until": until,
    "o:fields.status": "",
  });
  const refused = await send("cfbe_edit_form", fields("2026-12-02T09:00", "2026-12-01T09:00"));
  assert.equal(refused.status, 422);
  assert.deepEqual((refused as unknown as { fields: unknown }).fields, {
    "fields.schedule.until": "Must be after the start.",
  });
  assert.equal((await send("cfbe_edit_form", fields("", ""))).status, 200);
  assert.deepEqual(forms()[0], { name: "footer", layout: "inline", list: "", tags: [], targeting: [] });
});

Deno.test("a copy of a form whose long title has an emoji where it is cut has no half of it", async () => {
  const { app, send, settings, forms } = await world();
  await using _ = app;
  await settings.save("forms", { forms: [{ name: "footer", title: `${"x".repeat(91)}🍂rest` }] });
  await send("cfbe_duplicate_form", { form: "footer" });
  assert.equal(forms()[1]!.title, `Copy of ${"x".repeat(91)}`);
});

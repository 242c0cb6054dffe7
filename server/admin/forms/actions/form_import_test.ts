import assert from "node:assert/strict";
import type { EncodedImage } from "../../../forms/images/encode_small.ts";
import { storeImage } from "../../../forms/images/rows.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

const EVERYTHING = {
  name: "footer",
  layout: "block" as const,
  list: "spring",
  tags: ["one"],
  heading: "I <3 tea & more",
  successUrl: "https://shop.example/thanks",
  fields: [{ name: "city", kind: "text" as const, label: "City", required: true }],
  design: { accent: "#2b46d6" },
  opens: { kind: "slide-in" as const, corner: "start" as const, hideDays: 7 },
};

async function world() {
  const app = await adminHarness({ settings: {} });
  const admin = await app.signIn();
  const { settings } = app.services;
  await settings.save("forms", { forms: [{ ...EVERYTHING, status: "paused" }] });
  await settings.save("form", {
    locales: {
      de: { forms: [{ name: "footer", heading: "Hallo", fields: [{ name: "city", label: "Ort" }] }] },
    },
  });
  const exported = async () => (await admin.page("/forms/footer.json")).html;
  const send = async (document: string, name?: string) => {
    const fields = { _page: "/new-form?from=file", document, ...(name && { name }) };
    const response = await admin.send("cfbe_import_form", fields, { accept: "application/json" });
    const body = await response.json() as { message: string; fields?: Record<string, string> };
    return { status: response.status, message: body.message, reasons: Object.values(body.fields ?? {}) };
  };
  return { app, admin, exported, send, settings };
}

Deno.test("an exported form is imported with all its settings and texts, as a draft", async () => {
  const { app, admin, exported, send, settings } = await world();
  await using _ = app;
  const document = await exported();
  assert.equal((await send(document)).reasons[0], "There is already a form with this name.");
  assert.equal((await send(document, "copy")).status, 200);
  const [original, copy] = settings.current().forms.forms;
  assert.deepEqual(copy, { ...original, name: "copy", status: "draft" });
  const german = settings.current().form.locales["de"]!.forms!;
  assert.deepEqual(german[1], { ...german[0], name: "copy" });
  const { html } = await admin.page("/form-settings?form=copy");
  assert.ok(html.includes("I &lt;3 tea &amp; more"), "characters of HTML in a text stay text");
});

Deno.test("a form whose next page is a script is not imported", async () => {
  const { app, exported, send, settings } = await world();
  await using _ = app;
  const document = (await exported()).replace(EVERYTHING.successUrl, "javascript:alert(1)");
  const { status, reasons } = await send(document, "copy");
  assert.equal(status, 422);
  assert.match(reasons.join(), /URL such as https/);
  assert.equal(settings.current().forms.forms.length, 1);
});

Deno.test("a form that is imported on the Forms page without a name keeps the name in the file", async () => {
  const { app, admin, exported, settings } = await world();
  await using _ = app;
  const document = await exported();
  await settings.save("forms", { forms: [] });
  const response = await admin.send("cfbe_import_form", {
    _page: "/new-form?from=file",
    document,
    "o:name": "",
  });
  assert.equal(response.status, 303);
  assert.deepEqual(settings.current().forms.forms.map(({ name }) => name), ["footer"]);
});

Deno.test("an imported form keeps its image only if this installation has it", async () => {
  const { app, exported, send, settings } = await world();
  await using _ = app;
  const bytes = new Uint8Array([1, 2, 3]);
  const stored = await storeImage(app.services, { bytes, width: 40, height: 30 } as EncodedImage);
  const document = await exported();
  const withImage = (id: string) =>
    changed(document, ({ form }) => {
      (form as Form)["design"] = { accent: "#2b46d6", image: { id, alt: "Tea", place: "top" } };
    });
  const missing = await send(withImage(`${"x".repeat(22)}-40x30`), "without");
  assert.match(missing.message, /upload it again/);
  assert.deepEqual(settings.current().forms.forms[1]!.design, { accent: "#2b46d6" });
  assert.equal((await send(withImage(stored), "with")).status, 200);
  assert.deepEqual(settings.current().forms.forms[2]!.design?.image, {
    id: stored,
    alt: "Tea",
    place: "top",
  });
});

/** Returns the exported form with changes. */
const changed = (document: string, change: (whole: Record<string, unknown>) => void) => {
  const whole = JSON.parse(document);
  change(whole);
  return JSON.stringify(whole);
};
type Form = Record<string, unknown>;

const HOSTILE: Record<string, [(document: string) => string, RegExp]> = {
  "no JSON": [() => "{", /must be the JSON of an exported form/i],
  "a list": [() => "[]", /must be an object/i],
  "another kind of file": [() => '{"general":{}}', /cfbe: Must be "form"/],
  "a newer version": [(text) => changed(text, (whole) => whole["v"] = 2), /v: Must be 1: a newer version/],
  "deeply nested lists": [() => "[".repeat(30_000) + "]".repeat(30_000), /./],
  "more than 256 KB": [(text) => text + " ".repeat(256 * 1024), /must have at most 256 KB without/i],
  "6,000 fields": [
    (text) =>
      changed(text, ({ form }) => {
        const fields = Array.from({ length: 6_000 }, (_, index) => ({ name: `f${index}`, kind: "hidden" }));
        (form as Form)["fields"] = fields;
      }),
    /form\.fields/,
  ],
  "CSS in a color": [
    (text) =>
      changed(
        text,
        ({ form }) => (form as Form)["design"] = { accent: "red;background:url(//evil.example)" },
      ),
    /form\.design\.accent/,
  ],
  "CSS in a font": [
    (text) => changed(text, ({ form }) => (form as Form)["design"] = { font: "x}body{display:none" }),
    /form\.design\.font/,
  ],
  "a script in a text": [
    (text) =>
      changed(text, (whole) => {
        Object.assign(whole["form"] as Form, { heading: "Hi<script>alert(1)</script>" });
        whole["texts"] = { de: { heading: "<IMG src=x onerror=alert(1)>" } };
      }),
    /form\.heading: Must not contain HTML[^]*texts\.de\.heading: Must not contain HTML/,
  ],
  "a script in a link": [
    (text) => changed(text, ({ form }) => (form as Form)["consentText"] = "[I agree](javascript:alert(1))"),
    /form\.consentText: Must only contain links that start with https/,
  ],
  "a selector that hangs the page": [
    (text) =>
      changed(
        text,
        ({ form }) => (form as Form)["opens"] = { kind: "popup", cookieBarSelector: ":has(:has(a ~ b ~ c))" },
      ),
    /form\.opens\.cookieBarSelector: Must be a CSS selector of IDs/,
  ],
  "an SVG as image": [
    (text) =>
      changed(
        text,
        ({ form }) =>
          (form as Form)["design"] = { image: { id: "data:image/svg+xml,<svg onload=alert(1)>" } },
      ),
    /form\.design/,
  ],
  "a targeting with 1,000 groups": [
    (text) =>
      changed(text, ({ form }) => {
        const condition = { kind: "path", match: "contains", value: "x" };
        const targeting = Array.from({ length: 1_000 }, () => ({ conditions: [condition] }));
        (form as Form)["opens"] = { kind: "popup", targeting };
      }),
    /form\.opens\.targeting/,
  ],
  "members that the prototype has": [
    (text) => text.replace('"form": {', '"form": {"__proto__": {"layout": "promo"}, "constructor": 1,'),
    /Unknown setting/,
  ],
  "an invalid language": [
    (text) => changed(text, (whole) => whole["texts"] = { "../de": { heading: "x" } }),
    /texts\.\.\.\/de|texts/,
  ],
  "a name that is a path": [
    (text) => changed(text, ({ form }) => (form as Form)["name"] = "../admin"),
    /form\.name: Must contain only letters/,
  ],
};

Deno.test("an invalid or hostile document is refused with its reasons, and changes nothing", async (t) => {
  const { app, exported, send } = await world();
  await using _ = app;
  const document = await exported();
  const names = () => app.services.settings.current().forms.forms.map(({ name }) => name);
  const state = () => JSON.stringify(app.services.settings.current());
  const before = state();
  for (const [what, [make, reason]] of Object.entries(HOSTILE)) {
    await t.step(what, async () => {
      const { status, reasons } = await send(make(document), what === "a name that is a path" ? "" : "other");
      assert.equal(status, 422);
      assert.match(reasons.join("\n"), reason);
      assert.deepEqual(names(), ["footer"]);
      assert.equal(state(), before);
    });
  }
});

Deno.test("every reason is listed at once, at most fifty", async () => {
  const { app, exported, send } = await world();
  await using _ = app;
  const document = await exported();
  const three = changed(document, (whole) => {
    Object.assign(whole["form"] as Form, { layout: "round", button: "x".repeat(61), nonsense: true });
  });
  assert.deepEqual((await send(three, "other")).reasons.toSorted(), [
    "form.button: Must be 60 characters or less.",
    "form.layout: Choose one of: inline, block, promo.",
    "form: Unknown setting: nonsense.",
  ]);
  const many = changed(document, ({ form }) => {
    (form as Form)["interests"] = Array.from({ length: 50 }, () => ({ tag: "?", label: "x".repeat(101) }));
  });
  const { reasons } = await send(many, "other");
  assert.equal(reasons.length, 51);
  assert.match(reasons.at(-1)!, /^And \d+ more problems\.$/);
});

Deno.test("a form is exported only to users who may see it", async () => {
  const { app } = await world();
  await using _ = app;
  const response = await app.fetch("/admin/forms/footer.json");
  await response.body?.cancel();
  assert.equal(response.status, 401);
});

import assert from "node:assert/strict";
import { readImage, storeImage } from "../../../forms/images/rows.ts";
import { sweepImages } from "../../../forms/images/sweep_job.ts";
import { imageFile } from "../../../forms/images/testing/samples.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";

/** What variants can have besides texts: next page, color, time to open, and image. */

const RESULTS = "/experiment?form=footer";
const PAGE = "/form-settings?form=footer&variant=b";

async function setUp(form: object = {}) {
  const app = await adminHarness();
  const { settings } = app.services;
  await settings.save("forms", { forms: [{ name: "footer", ...form }] });
  const admin = await app.signIn();
  const run = async (action: string, fields: Record<string, string> = {}) => {
    const input = { form: "footer", ...fields };
    const response = await admin.send(`cfbe_${action}`, input, { accept: "application/json" });
    return await response.json() as { message: string; fields?: Record<string, string> };
  };
  /** Saves what the second variant has. */
  const save = (overrides: Record<string, string>) =>
    run("edit_variant", {
      variant: "b",
      name: "B",
      "n:weight": "1",
      ...Object.fromEntries(
        Object.entries(overrides).map(([name, value]) => {
          const [type, path] = name.includes(":") ? name.split(":") : ["", name];
          return [`${type && `${type}:`}fields.${path}`, value];
        }),
      ),
    });
  await run("create_experiment");
  const own = () => settings.current().forms.forms[0]!;
  return { app, admin, own, run, save, overrides: () => own().experiment!.variants[1]!.overrides };
}

const slideIn = { kind: "slide-in" as const, triggers: { delaySeconds: 20, exitIntent: true } };

Deno.test("a variant gets a next page, a color and a time to open, which its page shows and keeping it makes the form's own", async () => {
  const { app, admin, own, run, save, overrides } = await setUp({
    opens: slideIn,
    design: { radius: "none" },
  });
  await using _ = app;
  await save({ successUrl: "/offer", "design.accent": "#C00000", "n:delaySeconds": "5" });
  assert.deepEqual(overrides(), { successUrl: "/offer", delaySeconds: 5, design: { accent: "#c00000" } });
  assert.match(
    (await admin.page(PAGE)).html,
    /value="5"[\s\S]*The other triggers of the form stay\./,
  );
  await run("start_experiment");
  const { html } = await admin.page(RESULTS);
  assert.match(html, /Color of the button: #c00000[\s\S]*Next page: \/offer[\s\S]*Opens after: 5 seconds/);
  await run("keep_variant", { variant: "b" });
  const { successUrl, design, opens } = own();
  assert.deepEqual([successUrl, design], ["/offer", { radius: "none", accent: "#c00000" }]);
  assert.deepEqual([opens!.triggers.delaySeconds, opens!.triggers.exitIntent], [5, true]);
});

Deno.test("a variant gets another countdown or none, which keeping it makes the form's own in every language", async () => {
  const countdown = "2036-07-01T09:00";
  const form = { countdown, countdownAfter: "Too late." };
  const german = { locales: { de: { forms: [{ name: "footer", countdownAfter: "Zu spät." }] } } };
  for (
    const [sent, kept] of [
      [{ countdown: "2036-07-02T09:00", countdownAfter: "Missed it." }, "2036-07-02T09:00"],
      [{ countdown: "", "o:countdownAfter": "" }, undefined],
    ] as const
  ) {
    const { app, admin, own, run, save, overrides } = await setUp(form);
    await using _ = app;
    await app.services.settings.save("form", german);
    const { html } = await admin.page(PAGE);
    assert.match(
      html,
      /<fieldset[^>]*disabled[^>]*>[^]{0,400}type="datetime-local"[^>]*value="2036-07-01T09:00"/,
    );
    assert.match(
      html,
      /name="fields\.countdown"/,
      "an empty field is no countdown, and not that of the form",
    );
    await save(sent);
    assert.equal(overrides().countdown, sent.countdown);
    const element = /data-select="countdown"[^>]*>\s*Countdown ([^]*?)<\/a>/.exec(
      (await admin.page(PAGE)).html,
    )![1]!;
    assert.equal(element.replaceAll(/<[^>]*>/g, " ").trim(), kept ? "differs" : "off  differs");
    await run("start_experiment");
    const results = (await admin.page(RESULTS)).html;
    assert.match(results, kept ? /Countdown: 2 Jul 2036, 09:00/ : /Countdown: none/);
    await run("keep_variant", { variant: "b" });
    assert.equal(own().countdown, kept);
    const { locales } = app.services.settings.current().form;
    assert.equal(locales["de"]?.forms?.[0]?.countdownAfter, "Zu spät.");
  }
});

Deno.test("a form that ends with its countdown ends with that of a variant that is kept", async () => {
  const until = "2036-07-01T09:00";
  const { app, own, run, save } = await setUp({ countdown: until, schedule: { until } });
  await using _ = app;
  await save({ countdown: "2036-07-08T09:00" });
  await run("start_experiment");
  await run("keep_variant", { variant: "b" });
  const { countdown, schedule } = own();
  assert.deepEqual([countdown, schedule], ["2036-07-08T09:00", { until: "2036-07-08T09:00" }]);
});

Deno.test("keeping a variant of the popup that opens earlier keeps its other triggers", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  const { settings } = app.services;
  const experiment = {
    id: "x1",
    state: "running",
    variants: [{ id: "a", name: "A" }, { id: "b", name: "B", overrides: { delaySeconds: 5 } }],
  };
  await settings.save("popup", { enabled: true, triggers: { scrollPercent: 40 }, experiment });
  await admin.send("cfbe_keep_variant", { variant: "b" }, { accept: "application/json" });
  const { triggers: { delaySeconds, scrollPercent } } = settings.current().popup;
  assert.deepEqual([delaySeconds, scrollPercent], [5, 40]);
});

Deno.test("a variant shows no text or no next page if its own is empty, and those of its form if it has none", async () => {
  const { app, admin, run, save, overrides } = await setUp({ heading: "News", successUrl: "/thanks" });
  await using _ = app;
  await save({ heading: "", successUrl: "" });
  assert.deepEqual(overrides(), { heading: "", successUrl: "" });
  assert.match((await admin.page(RESULTS)).html, /Heading: none[\s\S]*Next page: none: shows the message/);
  await save({ "o:heading": "", "o:successUrl": "" });
  assert.deepEqual(overrides(), {});
  assert.equal((await run("edit_variant", { variant: "b", name: "" })).fields!["name"], "Must not be empty.");
});

Deno.test("a variant keeps texts that look like another kind of value", async () => {
  const { app, save, overrides } = await setUp();
  await using _ = app;
  await save({ heading: "true", text: "false", button: "0" });
  assert.deepEqual(overrides(), { heading: "true", text: "false", button: "0" });
});

Deno.test("invalid values of a variant are refused at their fields", async () => {
  const { app, save, overrides } = await setUp({ opens: slideIn });
  await using _ = app;
  const { fields } = await save({
    successUrl: "javascript:alert(1)",
    "design.accent": "red",
    "n:delaySeconds": "soon",
  });
  assert.deepEqual(Object.keys(fields!).toSorted(), [
    "fields.delaySeconds",
    "fields.design.accent",
    "fields.successUrl",
  ]);
  assert.deepEqual(overrides(), {});
});

Deno.test("an experiment about the time to open does not start if the form no longer opens by itself", async () => {
  const { app, run, save, own } = await setUp({ opens: slideIn });
  await using _ = app;
  await save({ "n:delaySeconds": "5" });
  const { experiment } = own();
  await app.services.settings.save("forms", { forms: [{ name: "footer", experiment }] });
  const { message } = await run("start_experiment");
  assert.match(
    message,
    /^Nothing was started\. “B” has a time to open, but the form does not open by itself/,
  );
  assert.equal(own().experiment!.state, "draft");
});

Deno.test("a third experiment that counts signups through all forms does not start, because a signup names two", async () => {
  const { app, run, save, own } = await setUp({ opens: slideIn });
  await using _ = app;
  await save({ "n:delaySeconds": "5" });
  const other = (name: string) => ({
    name,
    opens: slideIn,
    experiment: {
      id: name,
      state: "running",
      variants: [{ id: "a", name: "A", hidden: true }, { id: "b", name: "B" }],
    },
  });
  const [footer] = app.services.settings.current().forms.forms;
  const saveForms = (...names: string[]) =>
    app.services.settings.save("forms", { forms: [footer!, ...names.map(other)] } as never);
  await saveForms("one", "two");
  assert.match((await run("start_experiment")).message, /At most 2 experiments about whether or when/);
  await saveForms("one");
  assert.match((await run("start_experiment")).message, /The experiment is running/);
  assert.equal(own().experiment!.state, "running");
});

Deno.test("a variant gets an image of its own, none, or that of its form again", async () => {
  const { app, admin, overrides, run } = await setUp({ design: { accent: "#2b46d6" } });
  await using _ = app;
  const upload = async (file: Uint8Array<ArrayBuffer>, alt: string) => {
    const action = "cfbe_save_variant_image";
    const body = new FormData();
    const fields = {
      action,
      _page: PAGE,
      form: "footer",
      variant: "b",
      place: "left",
      alt,
    };
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append("file", new Blob([file]), "photo.png");
    return await app.fetch(admin.actionUrl(action, { path: "/upload" }), {
      method: "POST",
      body,
      headers: { cookie: admin.cookie },
    });
  };
  const bad = await upload(new TextEncoder().encode("<svg onload=alert(1)>"), "");
  assert.equal(bad.status, 422);
  const html = await bad.text();
  assert.match(html, /not a JPEG, PNG or WebP image/);
  assert.deepEqual(overrides(), {});
  assert.equal((await upload(await imageFile("png", { width: 60, height: 40 }), "Tea")).status, 303);
  const { image } = overrides().design!;
  assert.ok(typeof image === "object");
  assert.deepEqual({ ...image, id: image.id.slice(22) }, { id: "-60x40", alt: "Tea", place: "left" });
  assert.match((await admin.page(PAGE)).html, /Image: its own[\s\S]*alt="Tea"/);
  // It is shown before it is described, and the experiment starts afterwards.
  const waiting = { variant: "b", id: image.id, place: "left" };
  await run("save_variant_image", waiting);
  assert.deepEqual(overrides().design!.image, { ...image, alt: "" });
  assert.match((await admin.page(PAGE)).html, /Describe the image before you publish it/);
  assert.match((await run("start_experiment", {})).message, /image of “Variant B” has no description yet/);
  await run("save_variant_image", { ...waiting, "b:decorative": "true" });
  assert.doesNotMatch((await admin.page(PAGE)).html, /Describe the image before you publish it/);
  await run("remove_variant_image", { variant: "b", "b:none": "true" });
  assert.deepEqual(overrides(), { design: { image: "none" } });
  const earlier = { variant: "b", id: image.id, alt: "Tea", place: "top" };
  await run("save_variant_image", earlier);
  assert.deepEqual(overrides(), { design: { image: { ...image, place: "top" } } });
  const unknown = `${"x".repeat(22)}-60x40`;
  assert.match((await run("save_variant_image", { ...earlier, id: unknown })).message, /Upload it again/);
  assert.deepEqual(overrides(), { design: { image: { ...image, place: "top" } } });
  await run("remove_variant_image", { variant: "b" });
  assert.deepEqual(overrides(), {});
  assert.match((await run("remove_variant_image", { variant: "z" })).message, /There is no such variant/);
});

Deno.test("a form that no longer opens by itself is not compared with no form", async () => {
  const { app, run, own } = await setUp({ opens: slideIn });
  await using _ = app;
  await run("remove_experiment");
  await run("create_experiment", { "b:control": "true" });
  await app.services.settings.save(
    "forms",
    { forms: [{ name: "footer", experiment: own().experiment }] } as never,
  );
  assert.match((await run("start_experiment")).message, /does not open by itself any more/);
  assert.equal(own().experiment!.state, "draft");
});

Deno.test("the image that a variant had stays for another week, however old it is, so that undo can bring it back", async () => {
  const { app, run, overrides } = await setUp();
  await using _ = app;
  const { kv } = app.services;
  const monthAgo = new ManualClock(app.clock.now() - 30 * 24 * 60 * 60 * 1000);
  const store = () => storeImage({ kv, clock: monthAgo }, { bytes: new Uint8Array(9), width: 9, height: 9 });
  const id = await store();
  await run("save_variant_image", { variant: "b", id, alt: "Tea", place: "top" });
  await store();
  await run("remove_variant_image", { variant: "b" });
  assert.deepEqual(overrides(), {});
  await sweepImages(app.services).handle({ signal: new AbortController().signal } as never);
  assert.ok(await readImage(kv, id));
});

import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { keys } from "../../../platform/kv/keys.ts";
import { storeImage } from "../../../forms/images/rows.ts";
import { sweepImages } from "../../../forms/images/sweep_job.ts";
import { readFormDraft } from "../../../settings/forms/form_drafts.ts";
import { POPUP } from "../../../settings/forms/all_forms.ts";
import { type FormVersion, versionsOf } from "../../../settings/forms/form_history.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const FOOTER = { name: "footer" };
const PAGE = "/form-history?form=footer";

async function world() {
  const app = await adminHarness();
  const { settings, kv } = { settings: app.services.settings, kv: app.kv };
  const publish = async (form: object) => {
    await app.clock.advance(1_000);
    await settings.save("forms", { forms: [{ ...FOOTER, ...form }] }, { replace: true, by: "ann" });
  };
  const versions = (name = "footer") => versionsOf(kv, { name }, { limit: 200 });
  const headings = async (name?: string) =>
    (await versions(name)).map(({ content }) => content.values["heading"]);
  const admin = await app.signIn();
  const restore = async ({ id }: Pick<FormVersion, "id">, more: Record<string, string> = {}) => {
    const input = { form: "footer", version: id, ...more };
    const response = await admin.send("cfbe_restore_form_version", input, { accept: "application/json" });
    return { status: response.status, ...await response.json() as { message: string } };
  };
  return { app, settings, kv, publish, versions, headings, admin, restore };
}

Deno.test("every published version of a form is kept, with who and when, and one that changes nothing is not", async () => {
  await using stack = new AsyncDisposableStack();
  const { app, settings, publish, versions, headings } = await world();
  stack.use(app);
  await publish({ heading: "One" });
  await publish({ heading: "Two" });
  await publish({ heading: "Two" });
  await settings.save("form", { nameField: "required" });
  await settings.save("general", { defaultList: "l1" });
  assert.deepEqual(await headings(), ["Two", "One"]);
  const [latest] = await versions();
  assert.deepEqual([latest!.by, latest!.at], ["ann", app.clock.now() - 1_000]);

  await settings.save("form", { locales: { de: { forms: [{ name: "footer", heading: "Zwei" }] } } });
  await settings.save("popup", { heading: "Hello" });
  assert.deepEqual((await versions()).map(({ content }) => content.texts), [
    { de: { heading: "Zwei" } },
    {},
    {},
  ]);
  assert.equal((await headings(POPUP))[0], "Hello");
  await settings.save("forms", { forms: [] });
  assert.deepEqual(await headings(), [], "of a removed form, nothing is left");
});

Deno.test("the history of a form that was there before it begins with what pages showed until then", async () => {
  await using stack = new AsyncDisposableStack();
  const { app, kv, publish, versions, headings } = await world();
  stack.use(app);
  await publish({ heading: "Old" });
  for (const { id } of await versions()) {
    const [at, uuid] = id.split(/-(.*)/s);
    await kv.delete(keys.formVersion("footer", Number(at), uuid!));
  }
  await publish({ heading: "New" });
  assert.deepEqual(await headings(), ["New", "Old"]);
  const [, first] = await versions();
  assert.equal(first!.by, undefined);
});

Deno.test("the history of a form begins with its first version that pages show, not with drafts before it", async () => {
  await using stack = new AsyncDisposableStack();
  const { app, publish, headings, admin } = await world();
  stack.use(app);
  await publish({ heading: "Made", status: "draft" });
  await publish({ heading: "Drafted", status: "draft" });
  assert.deepEqual(await headings(), []);
  assert.match((await admin.page(PAGE)).html, /No versions yet/);
  await publish({ heading: "Shown" });
  assert.deepEqual(await headings(), ["Shown"]);
  await publish({ heading: "Shown", status: "draft" });
  await publish({ heading: "Drafted again", status: "draft" });
  assert.deepEqual(await headings(), ["Shown"]);
});

Deno.test("when pages show a form is not part of its versions: restoring one leaves the status and the schedule", async () => {
  await using stack = new AsyncDisposableStack();
  const { app, kv, settings, publish, versions, headings, restore, admin } = await world();
  stack.use(app);
  const schedule = { until: "2999-12-31T23:59" };
  await publish({ heading: "One" });
  await publish({ heading: "Two", schedule });
  await publish({ heading: "Two", schedule, status: "paused" });
  assert.deepEqual(await headings(), ["Two", "One"]);
  const [, one] = await versions();
  assert.match((await restore(one!)).message, /was restored/);
  assert.deepEqual((await readFormDraft(kv, FOOTER))?.values["schedule"], undefined);
  await (await admin.send("cfbe_publish_form", { form: "footer" })).body?.cancel();
  const { heading, status, schedule: kept } = settings.current().forms.forms[0]!;
  assert.deepEqual([heading, status, kept], ["One", "paused", schedule]);
});

Deno.test("the last 50 versions are kept, and all of the last 90 days", async () => {
  await using stack = new AsyncDisposableStack();
  const { app, publish, headings } = await world();
  stack.use(app);
  for (let version = 1; version <= 60; version++) await publish({ heading: `${version}` });
  assert.equal((await headings()).length, 60, "all are young");
  await app.clock.advance(91 * DAY_MS);
  for (let version = 61; version <= 63; version++) await publish({ heading: `${version}` });
  const kept = await headings();
  assert.deepEqual([kept.length, kept[0], kept.at(-1)], [50, "63", "14"]);
});

Deno.test("a restored version is a draft that shows exactly what it had, also what was added, removed or translated since", async () => {
  await using stack = new AsyncDisposableStack();
  const { app, settings, publish, versions, restore, admin } = await world();
  stack.use(app);
  const image = await storeImage(app.services, { bytes: new Uint8Array(9), width: 9, height: 9 });
  const design = { preset: "paper", image: { id: image, alt: "", place: "top" } };
  const fields = [{ name: "size", kind: "text", label: "Size" }];
  const heading = (heading: string) => ({ forms: [{ name: "footer", heading }] });
  const shown = async () =>
    await Promise.all(["en", "de", "fr"].map(async (locale) => {
      const { forms } = await (await app.fetch(`/cfbe.json?locale=${locale}`)).json();
      const { cfg: _, ...form } = forms.footer;
      return form;
    }));
  const steps: (() => Promise<unknown>)[] = [
    () => publish({ heading: "One" }),
    () => publish({ heading: "Two", design, fields, tags: ["a"] }),
    () => settings.save("form", { locales: { de: heading("Zwei") } }),
    () => publish({ button: "Join", design: { accent: "#112233" }, tags: [] }),
    () => settings.save("form", { locales: { de: null, fr: heading("Quatre") } }, { replace: true }),
  ];
  const pages = [];
  for (const step of steps) {
    await step();
    pages.push(await shown());
  }
  const kept = (await versions()).toReversed();
  for (const index of [0, 2, 0, 4, 1, 3]) {
    const before = await shown();
    const { status, message } = await restore(kept[index]!);
    assert.equal(status, 200, message);
    assert.match(
      message,
      /^The version of \d\d:\d\d was restored\. (Draft of .+ saved|The draft was removed|No draft)/,
    );
    assert.deepEqual(await shown(), before, "pages change once it is published");
    const published = await admin.send("cfbe_publish_form", FORM, { accept: "application/json" });
    assert.equal(published.status, 200, await published.text());
    assert.deepEqual(await shown(), pages[index], `version ${index}`);
  }
});

const FORM = { form: "footer" };

Deno.test("a version does not replace a draft that the page did not show, and nobody can restore what is not kept", async () => {
  await using stack = new AsyncDisposableStack();
  const { app, publish, versions, restore, admin } = await world();
  stack.use(app);
  await publish({ heading: "One" });
  await publish({ heading: "Two" });
  const [, one] = await versions();
  const draft = {
    ...FORM,
    "fields.heading": "Bob's",
    "b:draft": "true",
    _page: "/form-settings?form=footer",
  };
  await (await admin.send("cfbe_edit_form", draft)).body?.cancel();
  assert.equal((await restore(one!, { draftVersion: "" })).status, 409);
  for (const id of ["1-x", "x", "", `${"9".repeat(15)}-x`]) {
    assert.notEqual((await restore({ id })).status, 200, id);
  }
  const viewer = await app.signIn("viewer");
  const refused = await viewer.send("cfbe_restore_form_version", { ...FORM, version: one!.id });
  assert.equal(refused.status, 403, await refused.text());
});

Deno.test("the page lists what each version changed, previews one, and says what restoring it changes", async () => {
  await using stack = new AsyncDisposableStack();
  const { app, publish, versions, admin } = await world();
  stack.use(app);
  assert.match((await admin.page("/form-history?form=nothing")).html, /There is no such form/);
  await publish({ heading: "One" });
  await publish({ heading: "Two", button: "<b>Join</b>", design: { preset: "paper" } });
  const { html } = await admin.page(PAGE);
  assert.match(html, /Published versions.*Heading, Design › Preset, Button.*Published<.*The oldest kept/s);
  assert.match(html, /One.*Two/s);
  assert.doesNotMatch(html, /class="when"/, "what has changed has the room of a second time");
  assert.match(html, /&lt;b>Join/);
  const [, one] = await versions();
  const page = (await admin.page(`${PAGE}&version=${one!.id}`)).html;
  assert.match(page, /What restoring changes.*Two.*One/s);
  const preview = /src="\/admin(\/preview\?[^"]*)"/.exec(page)![1]!.replaceAll("&amp;", "&");
  assert.match((await admin.page(preview)).html, /"heading":"One"/);
  assert.match(page, /name="preview-state" value="success"/, "in every state");
  const german = (await admin.page(`${PAGE}&version=${one!.id}&locale=de`)).html;
  assert.match(german, /<option value="de" selected>German</);
  const [, inGerman] = /src="\/admin(\/preview\?[^"]*locale=de[^"]*)"/.exec(german)!;
  assert.match(
    (await admin.page(inGerman!.replaceAll("&amp;", "&"))).html,
    /<html lang="de"[\s\S]*"heading":"One"/,
  );
  assert.doesNotMatch(german, /You are editing/);
  assert.match((await admin.page(`${PAGE}&version=1-x`)).html, /not kept any more/);
  assert.match(
    (await admin.page("/form-settings?form=footer")).html,
    /href="\/admin\/form-history\?form=footer"/,
  );
});

Deno.test("long histories have pages, and each entry is compared with the one before it, also across pages", async () => {
  await using stack = new AsyncDisposableStack();
  const { app, publish, admin } = await world();
  stack.use(app);
  for (let version = 1; version <= 25; version++) await publish({ heading: `Version ${version}` });
  const first = (await admin.page(PAGE)).html;
  assert.equal(first.match(/Restore as draft/g)?.length, 20);
  assert.match(first, /Version 5<.*Version 6</s);
  const older = /href="\/admin(\/form-history\?[^"]*before=[^"]*)"/.exec(first)![1]!.replaceAll("&amp;", "&");
  const second = (await admin.page(older)).html;
  assert.equal(second.match(/Restore as draft/g)?.length, 5);
  assert.match(second, /The oldest kept/);
  assert.doesNotMatch(second, /Version 6</);
});

Deno.test("an image that only a kept version shows is kept, too", async () => {
  await using stack = new AsyncDisposableStack();
  const { app, publish } = await world();
  stack.use(app);
  const id = await storeImage(app.services, { bytes: new Uint8Array(9), width: 9, height: 9 });
  await publish({ design: { image: { id, alt: "", place: "top" } } });
  await publish({ design: {} });
  await app.clock.advance(30 * DAY_MS);
  await sweepImages(app.services).handle({ signal: new AbortController().signal } as never);
  assert.equal(
    await app.fetch(`/cfbe-image/${id}.webp`).then(async (r) => (await r.body?.cancel(), r.status)),
    200,
  );
});

Deno.test("the languages of a version are offered in two groups: first those in which it has texts of its own", async () => {
  await using stack = new AsyncDisposableStack();
  const { app, publish, versions, admin } = await world();
  stack.use(app);
  await publish({ heading: "One" });
  const own = { forms: [{ name: "footer", heading: "Zwei" }] };
  await app.services.settings.save("form", { locales: { de: own } });
  await publish({ heading: "Two" });
  const all = await versions();
  const page = async (version: string) => (await admin.page(`${PAGE}&version=${version}`)).html;
  assert.match(
    await page(all[0]!.id),
    /<optgroup label="With texts of its own"><option value="de">German<\/option><\/optgroup><optgroup label="All others">/,
  );
  assert.doesNotMatch(await page(all.at(-1)!.id), /<optgroup/);
});

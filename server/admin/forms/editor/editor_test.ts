import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { PANELS } from "./panels.tsx";

const PAGE = "/form-settings?form=footer";

async function start() {
  const app = await adminHarness();
  app.clock.set(Date.UTC(2030, 5, 1, 13, 5));
  await app.services.settings.save("general", { timeZone: "Pacific/Auckland" });
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  return Object.assign(app, { user: await app.signIn() });
}

Deno.test("every panel of the step Design is reached from the list of elements, for all forms and the popup", async () => {
  await using app = await start();
  for (const path of [PAGE, "/popup"]) {
    const { html } = await app.user.page(path);
    const linked = new Set([...html.matchAll(/data-select="([^"]+)"/g)].map(([, panel]) => panel));
    const panels = PANELS.filter(({ step }) => step === "design").map(({ id }) => id);
    assert.deepEqual(panels.filter((panel) => !linked.has(panel)), [], path);
  }
});

Deno.test("no step of the editor has the name of a button beside it, and each leads to a part of the page", async () => {
  await using app = await start();
  for (const path of [PAGE, "/popup"]) {
    const { html } = await app.user.page(path);
    const bar = html.slice(html.indexOf('<div class="editor-bar">'), html.indexOf('<div class="form-top">'));
    const steps = [...bar.matchAll(/<a href="#([^"]+)"[^>]*>([^<]+)</g)];
    const buttons = [...bar.matchAll(/<button[^>]*>([^<]+)</g)].map(([, name]) => name);
    assert.deepEqual(steps.map(([, , name]) => name), ["Design", "Who sees it", "On your site"]);
    assert.deepEqual(buttons.filter((name) => steps.some(([, , step]) => step === name)), [], path);
    assert.ok(buttons.includes("Publish"));
    for (const [, id] of steps) assert.ok(html.includes(` id="${id}"`), `${path} ${id}`);
  }
});

Deno.test("every kind of form has one section about who sees it, and asks at first only what its kind has", async () => {
  await using app = await start();
  const audience = async (path: string, form: object = {}) => {
    await app.services.settings.save("forms", { forms: [{ name: "footer", ...form }] }, { replace: true });
    const { html } = await app.user.page(path);
    const [section, ...more] = html.split('<div class="panel"').filter((each) =>
      each.includes('data-of-step="audience"') && !each.includes('id="why"')
    );
    assert.deepEqual(more, [], path);
    const asked = section!.replaceAll(/<details(?! open).*?<\/details>/gs, "");
    return {
      title: /<h2[^>]*>(.*?)</.exec(section!)![1],
      headings: [...asked.matchAll(/<h3>(.*?)</g)].map(([, text]) => text),
      lists: [...asked.matchAll(/Groups, of which/g)].length,
    };
  };
  const opening = ["Trigger", "Who it opens for", "Exclusions"];
  const one = { title: "Who sees it", lists: 1 };
  assert.deepEqual(await audience("/popup"), { ...one, headings: opening });
  assert.deepEqual(await audience(PAGE), { ...one, headings: ["Who it shows to"] });
  const opens = { kind: "popup" };
  assert.deepEqual(await audience(PAGE, { opens }), { ...one, headings: opening });
  // What is set in both stays in view.
  const targeting = [{ conditions: [{ kind: "path", match: "starts", value: "/tea" }] }];
  assert.equal((await audience(PAGE, { opens, targeting })).lists, 2);
});

Deno.test("where a form says who sees it, a link leads to the dates between which it shows", async () => {
  await using app = await start();
  for (const form of [{ name: "footer" }, { name: "footer", opens: { kind: "popup" } }]) {
    await app.services.settings.save("forms", { forms: [form] }, { replace: true });
    const { html } = await app.user.page(PAGE);
    const [audience] = html.split('<div class="panel"').filter((each) => each.includes('id="audience"'));
    assert.match(audience!, /only between two dates, set its <a href="#status">schedule<\/a>/);
  }
});

Deno.test("a countdown and the end of a form name each other's time, and lead to each other", async () => {
  await using app = await start();
  const parts = async (form: object) => {
    await app.services.settings.save("forms", { forms: [{ name: "footer", ...form }] }, { replace: true });
    const panels = (await app.user.page(PAGE)).html.split('<div class="panel"');
    const textOf = (id: string) => panels.find((each) => each.includes(`id="${id}"`))!;
    return { countdown: textOf("countdown"), status: textOf("status") };
  };
  const none = await parts({});
  assert.match(none.countdown, /set “Show until” in “<a href="#status">On your site<\/a>”/);
  assert.match(none.status, /A <a href="#countdown">countdown<\/a> shows them/);
  const both = await parts({ countdown: "2030-12-24T18:00", schedule: { until: "2030-12-31T23:59" } });
  assert.match(
    both.countdown,
    /shows until <span[^>]*>31 Dec 2030, 23:59<\/span>: change that in “<a href="#status">/,
  );
  assert.match(both.status, /<a href="#countdown">countdown<\/a> runs until <span[^>]*>24 Dec 2030, 18:00/);
});

Deno.test("the settings of the button have the texts of both buttons of a form in two steps, and no other element has them", async () => {
  await using app = await start();
  const { html } = await app.user.page(PAGE);
  const panels = html.split('data-panel="').slice(1);
  for (const name of ["fields.button", "fields.texts.next"]) {
    const having = panels.filter((panel) => panel.includes(`name="${name}"`));
    assert.deepEqual(having.map((panel) => panel.slice(0, panel.indexOf('"'))), ["button"], name);
  }
});

Deno.test("what says whether pages show a form leads to its status and its snippet, for all forms and the popup", async () => {
  await using app = await start();
  for (const path of [PAGE, "/popup"]) {
    const { html } = await app.user.page(path);
    const [line] = /<p class="form-state">.*?<\/p>/s.exec(html)!;
    const linked = [...line.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(linked, ["status", "embed"], path);
    for (const id of linked) assert.ok(html.includes(` id="${id}"`), `${path} ${id}`);
  }
});

Deno.test("in a language, the editor leads to the status, the snippet and the languages of the form", async () => {
  await using app = await start();
  await app.user.send("cfbe_add_ready_form", { ready: "waitlist", title: "Club" });
  const { html } = await app.user.page("/form-settings?form=club");
  const german = (await app.user.page("/form-settings?form=club&locale=de")).html;
  for (const id of ["status", "embed", "form-languages"]) {
    assert.ok(html.includes(` id="${id}"`), id);
    assert.match(german, new RegExp(`<a href="[^"]*/form-settings\\?form=club#${id}">`), id);
  }
  assert.doesNotMatch(german, /<dialog id="form-languages"/);
});

Deno.test("the layout of a form that opens by itself is said to be that of the form in a page, and leads to how it opens", async () => {
  await using app = await start();
  const layout = async (form: object) => {
    await app.services.settings.save("forms", { forms: [{ name: "footer", ...form }] }, { replace: true });
    const { html } = await app.user.page(PAGE);
    return /data-panel="layout".*?data-panel=/s.exec(html)![0].includes('href="#audience"');
  };
  assert.equal(await layout({}), false);
  assert.equal(await layout({ opens: { kind: "popup" } }), true);
});

Deno.test("a countdown and a schedule that have ended say so beside their fields, in the site's time zone, also without JavaScript", async () => {
  await using app = await start();
  const saysSo = async (minute: string) => {
    await app.services.settings.save("forms", {
      forms: [{ name: "footer", countdown: minute, schedule: { from: "2020-01-01T00:00", until: minute } }],
    }, { replace: true });
    const { html } = await app.user.page(PAGE);
    return [...html.matchAll(/<p class="past" [^>]*>/g)].map(([note]) => !note.includes("hidden"));
  };
  assert.deepEqual(await saysSo("2030-06-02T01:05"), [true, true]);
  assert.deepEqual(await saysSo("2030-06-02T01:06"), [false, false]);
});

Deno.test("the time after Saved is in the site's time zone, the same after a save as after a reload", async () => {
  await using app = await start();
  const fields = { _page: PAGE, form: "footer", "b:draft": "true", "fields.heading": "Club" };
  const response = await app.user.send("cfbe_edit_form", fields, { accept: "application/json" });
  const { data } = await response.json() as { data: { savedAt: string } };
  assert.equal(data.savedAt, "01:05");
  const [, shown] = /data-saved[^>]*>(.*?)<\/p>/.exec((await app.user.page(PAGE)).html)!;
  assert.equal(shown!.replaceAll(/<[^>]*>/g, ""), `Saved ${data.savedAt}`);
  await app.user.send("cfbe_create_experiment", { _page: PAGE, form: "footer" });
  const variant = { _page: PAGE, form: "footer", variant: "b", "fields.heading": "Tea" };
  const saved = await app.user.send("cfbe_edit_variant", variant, { accept: "application/json" });
  assert.equal((await saved.json()).data.savedAt, "01:05", "of a variant");
});

Deno.test("a form from the gallery that promises a code says so in two places while coupons are off, in any language it is made in", async () => {
  await using app = await start();
  for (const language of ["", "de"]) {
    const title = `Code ${language}`;
    const fields = { _page: "/new-form", ready: "coupon-popup", title, ...(language && { language }) };
    await (await app.user.send("cfbe_add_ready_form", fields)).body?.cancel();
    const name = app.services.settings.current().forms.forms.at(-1)!.name;
    const warnings = async () =>
      (await app.user.page(`/form-settings?form=${name}`)).html.split("nobody gets one").length - 1;
    assert.equal(await warnings(), 2);
    await app.services.settings.save("general", { modules: { coupons: true } } as never);
    assert.equal(await warnings(), 0);
    await app.services.settings.save("general", { modules: { coupons: false } } as never);
  }
});

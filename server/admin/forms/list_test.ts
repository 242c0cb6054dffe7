import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

Deno.test("the list has every form with its kind, its status, and its signups of 30 days", async () => {
  await using app = await adminHarness({ settings: { popup: { enabled: true } } });
  await app.services.settings.save("forms", {
    forms: [
      { name: "footer", layout: "promo" },
      { name: "new", status: "draft" },
      { name: "later", schedule: { from: "2999-12-01T09:00" } },
      { name: "over", schedule: { until: "2001-02-03T10:30" } },
    ],
  });
  const { counters } = app.services;
  const count = (form: string) => counters.count(form, "accepted");
  count("footer");
  counters.note("confirmed.poll", "footer");
  counters.note("seen", "footer");
  await app.clock.advance(40 * 24 * 60 * 60 * 1000);
  ["footer", "footer", "shortcode", "block", "popup", "later"].forEach(count);
  // Of people who signed up earlier.
  for (let i = 0; i < 3; i++) counters.note("confirmed.poll", "later");
  counters.note("seen", "footer");
  const { html } = await (await app.signIn()).page("/forms");
  const rows = [...html.matchAll(/<tr>(?!<th scope="col")(.*?)<\/tr>/g)].map(([, row]) =>
    [...row!.replace(/<button .*/, "").matchAll(/<div>(.*?)<\/div>/g)].map(([, cell]) =>
      cell!.replaceAll(/<[^>]*>/g, "").trim()
    )
  );
  assert.deepEqual(rows, [
    ["Default form", "Any", "Live", "0", "2", "0", "0%", ""],
    ["footer", "Promo bar", "Live", "1", "2", "0", "0%"],
    ["new", "Inline", "Draft", "0", "0", "0", "–"],
    ["later", "Inline", "Scheduled from 1 Dec 2999, 09:00", "0", "1", "3", "100%"],
    ["over", "Inline", "Ended on 3 Feb 2001, 10:30", "0", "0", "0", "–"],
    ["Popup", "Popup", "Live", "0", "1", "0", "0%", ""],
  ]);
});

Deno.test("more than ten forms can be searched by title and by ID", async () => {
  await using app = await adminHarness();
  const save = (count: number) =>
    app.services.settings.save("forms", {
      forms: Array.from({ length: count }, (_, n) => ({ name: `form-${n}`, title: `Spring club ${n}` })),
    });
  const session = await app.signIn();
  const found = async (query: string) => {
    const { html } = await session.page(`/forms${query}`);
    return { names: [...html.matchAll(/<code class="about">(.*?)<\/code>/g)].map(([, name]) => name), html };
  };
  await save(8);
  assert.doesNotMatch(
    (await found("")).html,
    /role="search"/,
    "with the default form and the popup, these are ten",
  );
  await save(9);
  assert.match((await found("")).html, /role="search"/);
  assert.deepEqual((await found("?search=CLUB+7")).names, ["form-7"]);
  assert.deepEqual((await found("?search=form-8")).names, ["form-8"]);
  assert.match((await found("?search=autumn")).html, /No form has this title or ID/);
});

Deno.test("a form's page says at its top whether pages show the form, and when that changes", async () => {
  await using app = await adminHarness();
  await app.services.settings.save("general", { timeZone: "Europe/Berlin" });
  await app.services.settings.save("forms", {
    forms: [
      { name: "live", schedule: { until: "2999-12-01T09:00" } },
      { name: "paused", status: "paused", schedule: { until: "2999-12-01T09:00" } },
      { name: "later", schedule: { from: "2999-12-01T09:00", until: "2999-12-02T09:00" } },
    ],
  });
  const admin = await app.signIn();
  const lineOf = async (name: string) => {
    const { html } = await admin.page(`/form-settings?form=${name}`);
    const [, line] = /<p class="form-state">(.*?)<\/p>/.exec(html)!;
    return line!.replaceAll(/<[^>]*>/g, "");
  };
  assert.equal(
    await lineOf("live"),
    "Live until 1 Dec 2999, 09:00 (Europe/Berlin). Pages with its snippet show the form. Status Snippet",
  );
  assert.match(await lineOf("paused"), /^Paused +No page shows the form until you resume it/);
  assert.match(
    await lineOf("later"),
    /^Scheduled from 1 Dec 2999, 09:00 until 2 Dec 2999, 09:00 \(Europe\/Berlin\)\. No page shows the form before its schedule starts/,
  );
});

Deno.test("the button that takes the place of Pause, Resume or Publish in the list has its ID, so that it has the focus", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const ids = [];
  for (const status of [undefined, "paused", "draft"] as const) {
    await app.services.settings.save("forms", { forms: [{ name: "footer", ...(status && { status }) }] });
    const { html } = await admin.page("/forms");
    ids.push(/<button[^>]* id="([^"]*)"[^>]*data-expects/.exec(html)?.[1]);
  }
  assert.deepEqual(ids, Array(3).fill("status-button-footer"));
});

import assert from "node:assert/strict";
import { type AdminHarness, adminHarness } from "../../../dev/testing/admin_harness.ts";

const DAY_MS = 86_400_000;
const settings = {
  general: { projectId: "p" },
  form: { consent: "required" as const, consentText: "Yes." },
  forms: { forms: [{ name: "footer" }, { name: "article" }] },
};

/** Two weeks of data: on day n, n signups with `footer`, and a view. */
async function twoWeeks(): Promise<AdminHarness> {
  const app = await adminHarness({ settings });
  const { counters } = app.services;
  for (let day = 1; day <= 14; day++) {
    for (let i = 0; i < day; i++) counters.count("footer", "accepted");
    counters.note("seen", "footer");
    counters.note("confirmed.webhook", "footer");
    if (day < 14) await app.clock.advance(DAY_MS);
  }
  return app;
}

const isoDate = (app: AdminHarness, daysAgo: number) =>
  new Date(app.clock.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

Deno.test("each tile links to its own chart, which keeps the period and the form", async () => {
  await using app = await twoWeeks();
  const admin = await app.signIn();
  for (
    const [chart, label] of [["views", "Form views"], ["confirmed", "Confirmed"], [
      "rate",
      "Confirmation rate",
    ]]
  ) {
    const { html } = await admin.page(`/overview?days=7&chart=${chart}&form=footer`);
    assert.match(html, new RegExp(`aria-current="true">${label}</a>`));
    assert.match(html, new RegExp(`<h2>${label} by day</h2>`));
    assert.ok(
      html.includes('href="/admin/overview?days=7&amp;form=footer#days"'),
      "link to the default chart",
    );
  }
  assert.match((await admin.page("/overview?chart=constructor")).html, /<h2>Signups by day<\/h2>/);
});

Deno.test("a period is compared with the one before, in its tiles and in its chart", async () => {
  await using app = await twoWeeks();
  const admin = await app.signIn();
  const { html } = await admin.page("/overview?days=7");
  // 8 to 14 signups a day after 1 to 7.
  assert.match(html, /<strong>77<\/strong> <small>175% more than in the previous 7 days/);
  assert.equal(html.match(/class="before" x1="[\d.]+%/g)?.length, 7);
  const earlier = [...html.matchAll(/Signups 7 days before: (\d+)</g)].map(([, count]) => Number(count));
  assert.deepEqual(earlier, [1, 2, 3, 4, 5, 6, 7]);
  const alone = (await admin.page("/overview?days=30")).html;
  assert.match(alone, /No earlier data to compare/);
  assert.doesNotMatch(alone, /class="before"/);
  const first = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })
    .format(app.clock.now() - 13 * 86_400_000);
  assert.match(
    alone,
    new RegExp(`</figure><p class="help">No data before ${first}, so the chart starts on ${first}`),
  );
});

Deno.test("the CSV has one row per day and form, with the numbers of the selected period", async () => {
  await using app = await twoWeeks();
  const viewer = await app.signIn("viewer");
  const [from, to] = [isoDate(app, 2), isoDate(app, 1)];
  const response = await app.fetch(`/admin/overview/days.csv?from=${from}&to=${to}`, {
    headers: { cookie: viewer.cookie },
  });
  assert.equal(response.headers.get("content-type"), "text/csv; charset=utf-8");
  assert.match(response.headers.get("content-disposition")!, new RegExp(`"overview-${from}-${to}.csv"`));
  assert.equal(
    await response.text(),
    `\ufeffday,form,views,signups,confirmed,form_title\r\n${from},footer,1,12,1,footer\r\n${to},footer,1,13,1,footer\r\n`,
  );
});

Deno.test("the CSV needs a session, and the form in its URL cannot become a formula", async () => {
  await using app = await twoWeeks();
  const refused = await app.fetch("/admin/overview/days.csv");
  assert.equal(refused.status, 401);
  assert.match(await refused.text(), /name="password"/);
  const { cookie } = await app.signIn();
  const response = await app.fetch("/admin/overview/days.csv?days=7&form=%3D1%2B1", { headers: { cookie } });
  assert.match(await response.text(), /,'=1\+1,0,0,0/);
});

Deno.test("requests not accepted are counted in a sentence, and each reason by form and by invalid field", async () => {
  await using app = await adminHarness({ settings });
  const admin = await app.signIn();
  await (await app.post({ email: "ada@example.com", consent: true })).body?.cancel();
  await (await app.post({ email: "no address" })).body?.cancel();
  await (await app.post({ email: "bob@example.com" })).body?.cancel();
  const { html } = await admin.page("/overview?days=7");
  assert.match(html, /2 of 3 requests in the last 7 days were not accepted \(all forms\)/);
  assert.match(html, /Default form: 2<br\/>Consent: 2, Email address: 1/);
});

Deno.test("signups without a required field lead to the form's page, because a page's own markup may lack the field", async () => {
  await using app = await adminHarness({ settings: { general: settings.general } });
  const admin = await app.signIn();
  const advice = async () => {
    const { html } = await admin.page("/overview?days=7");
    return /[^>]*<a href="[^"]*">Go to [^<]*/.exec(html.slice(html.indexOf('id="drops"')))?.[0];
  };
  app.services.counters.count("shop", "invalid.fields");
  app.services.counters.note("invalid.email", "shop");
  assert.match((await advice())!, /ask for fewer fields.*Go to Form defaults$/);

  await app.services.settings.save("forms", { forms: [{ name: "shop" }] });
  app.services.counters.note("invalid.consent", "shop");
  assert.equal(
    await advice(),
    "The markup of your page may lack a field that the form requires: Consent. " +
      'Add it to the page, or make it optional. <a href="/admin/form-settings?form=shop">Go to shop',
  );
});

Deno.test("a request over its limit is not counted by invalid field", async () => {
  await using app = await adminHarness({ settings });
  for (let i = 0; i < 8; i++) await (await app.post({ email: "no address", consent: true })).body?.cancel();
  const totals = await app.services.counters.totals();
  assert.ok(totals["rate_limited.ip"]! > 0);
  assert.equal(totals["note.invalid.email"], totals["invalid.fields"]);
});

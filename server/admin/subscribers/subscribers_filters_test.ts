import assert from "node:assert/strict";
import type { Kv } from "../../platform/kv/port.ts";
import { putRecord } from "../../signup/record/record.ts";
import { insertSampleRecords } from "../../subscribers/testing/sample_records.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

/** Returns the filters that a page shows as set, each with its link without the filter. */
function chipsOf(html: string): [text: string, href: string][] {
  return [...html.matchAll(/<span class="chip">([^<]*)<a class="remove" href="([^"]*)"/g)].map((
    [, inner, href],
  ) => [
    inner!.trim(),
    href!.replace(/^\/admin/, "").replaceAll("&amp;", "&"),
  ]);
}
const headingOf = (html: string) => /<h2>([^<]*)<\/h2>/.exec(html.slice(html.indexOf("<main")))?.[1];

Deno.test("the search field comes first, and the other filters are folded away until one of them is wrong", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const fold = async (query: string) => {
    const { html } = await admin.page(`/subscribers${query}`);
    assert.ok(html.indexOf('name="q"') < html.indexOf("<details"));
    return /<details[^>]*><summary>[^<]*/.exec(html)?.[0];
  };
  assert.equal(await fold(""), '<details class="more"><summary>Filters');
  assert.equal(await fold("?status=active"), '<details class="more"><summary>Filters');
  assert.equal(await fold("?from=yesterday"), '<details class="more" open><summary>Filters');
});

Deno.test("each filter that is set is shown in plain words, with a link to the same search without it", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const fields = {
    q: "@rare.example",
    status: "pending",
    form: "footer",
    source: "popup",
    from: "2026-01-02",
  };
  const { html } = await admin.search("/subscribers", fields);
  const chips = chipsOf(html);
  assert.deepEqual(chips.map(([text]) => text), [
    "Domain: rare.example",
    "Status: pending, waiting for confirmation",
    "Form: footer",
    "Signup method: Popup",
    "Signed up from: 2026-01-02",
  ]);
  for (const [text, href] of chips) {
    const left = chipsOf((await admin.page(href)).html).map(([text]) => text);
    assert.deepEqual(left, chips.map(([text]) => text).filter((each) => each !== text));
  }
  assert.match(
    html,
    /<a href="\/admin\/subscribers">Clear all<\/a>|<a class="clear" href="\/admin\/subscribers">/,
  );
  assert.deepEqual(chipsOf((await admin.page("/subscribers?status=%20")).html), []);
  const typed = async (q: string) => chipsOf((await admin.search("/subscribers", { q })).html)[0]?.[0];
  assert.equal(await typed("Ada@Example.com"), "Email address: Ada@Example.com");
  assert.equal(await typed("ada@exa*"), "Email address starts with: ada@exa");
});

Deno.test("the list says how many signups match, up to 1,000, on each of its pages", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await insertSampleRecords(app.kv, 120);
  const first = await admin.page("/subscribers");
  assert.equal(headingOf(first.html), "120 signups");
  const next = /href="\/admin([^"]*)"[^>]*rel="next"/.exec(first.html)![1]!.replaceAll("&amp;", "&");
  assert.equal(headingOf((await admin.page(next)).html), "120 signups");
  assert.equal(headingOf((await admin.search("/subscribers", { q: "@rare.example" })).html), "12 results");
  await insertSampleRecords(app.kv, 1_100);
  assert.equal(headingOf((await admin.page("/subscribers")).html), "More than 1,000 signups");
});

Deno.test("an empty list says how to get the first signup, and a search without results which filter to drop", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { html } = await admin.page("/subscribers");
  for (const text of ["No signups yet", 'href="/admin/forms"', 'href="/admin/first-run"']) {
    assert.ok(html.includes(text), text);
  }
  const none = await admin.search("/subscribers", { q: "ada@example.com", status: "active" });
  for (const text of ["start with", "without “Email address: ada@example.com”", "without “Status: active"]) {
    assert.ok(none.html.includes(text), text);
  }
});

Deno.test("signups can be filtered by each title in the column Form, and by source in words of its own", async () => {
  await using app = await adminHarness();
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  const admin = await app.signIn();
  const [popup, footer] = await sampleRecords(app.kv);
  const { html } = await admin.page("/subscribers");
  const optionsOf = (id: string) =>
    [...new RegExp(`<select id="${id}".*?</select>`, "s").exec(html)![0].matchAll(/value="([^"]+)">([^<]*)/g)]
      .map(([, value, label]) => [label, value]);
  const forms = Object.fromEntries(optionsOf("filter-form"));
  assert.equal(forms["footer"], "footer");
  assert.deepEqual(optionsOf("filter-source")[0], ["Inline form", "shortcode"]);

  const found = await admin.search("/subscribers", { form: forms["Popup"] });
  assert.deepEqual(chipsOf(found.html).map(([text]) => text), ["Form: Popup"]);
  assert.ok(found.html.includes(popup), "has no named form");
  assert.ok(!found.html.includes(footer), "the popup showed the form footer");
});

/** Stores a signup from the popup itself, and one from the popup with a named form. Returns their addresses. */
async function sampleRecords(kv: Kv): Promise<[popup: string, footer: string]> {
  const record = {
    v: 2,
    list: "news",
    status: "active",
    since: 1,
    tags: [],
    source: "popup",
    createdAt: 1,
  } as const;
  const rows = [{ email: "one@popup.example" }, { email: "two@footer.example", form: "footer" }];
  for (const row of rows) {
    await putRecord(kv.atomic(), null, { ...record, ...row, tags: [], updatedAt: 1 }).commit();
  }
  return ["one@popup.example", "two@footer.example"];
}

Deno.test("a search that few signups match reads its rows once, for the list and the number of matches", async () => {
  await using app = await adminHarness();
  await insertSampleRecords(app.kv, 2_200);
  const admin = await app.signIn();
  app.reset();
  const { html } = await admin.search("/subscribers", { q: "p0*", status: "failed", form: "landing" });
  assert.match(headingOf(html)!, /^At least \d+ results$/);
  assert.match(html, /Searched/);
  assert.ok(app.listed() <= 2_000, `${app.listed()} rows`);
});

const CLUB = {
  name: "club",
  fields: [
    { name: "size", kind: "select", label: "Shirt size", options: ["s", "l"] },
    { name: "guests", kind: "number", label: "Guests" },
  ],
};

Deno.test("people are found by an answer, which is one filter with words of its own, and exports have only them", async () => {
  await using app = await adminHarness();
  await app.services.settings.save("forms", { forms: [CLUB] } as never);
  for (
    const [email, fields] of [["s@example.com", { size: "s" }], ["l@example.com", { size: "l", guests: 3 }]]
  ) {
    assert.equal((await app.post({ email, form: "club", fields })).status, 200);
  }
  await app.work();
  const admin = await app.signIn();
  const fields = { field: "size", operator: "is", answer: "L", status: "pending" };
  const { html, path } = await admin.search("/subscribers", fields);
  assert.ok(html.includes(">l@example.com<") && !html.includes(">s@example.com<"));
  assert.doesNotMatch(path, /answer=|=L\b/, "answers are personal data");
  const chips = chipsOf(html);
  assert.deepEqual(chips.map(([text]) => text), [
    "Status: pending, waiting for confirmation",
    "Shirt size is L",
  ]);
  const without = (await admin.page(chips[1]![1])).html;
  assert.deepEqual(chipsOf(without).map(([text]) => text), [chips[0]![0]]);
  assert.ok(without.includes(">s@example.com<"));

  const csv = /href="\/admin([^"]*subscribers\.csv[^"]*)"/.exec(html)![1]!.replaceAll("&amp;", "&");
  const lines = (await admin.page(csv)).html.trim().split("\r\n");
  assert.equal(lines.length, 2);
  const cells = Object.fromEntries(lines[0]!.split(",").map((name, at) => [name, lines[1]!.split(",")[at]]));
  assert.deepEqual([cells["field_size"], cells["field_guests"]], ["l", "3"]);
  const several = await admin.search("/subscribers", {
    field: "guests",
    operator: "at_least",
    answer: "2,5",
  });
  assert.deepEqual(chipsOf(several.html).map(([text]) => text), ["Guests is at least 2,5"]);
  assert.ok(several.html.includes(">l@example.com<"));
});

Deno.test("an incomplete filter by an answer says at the field what to enter, and keeps what was typed", async () => {
  await using app = await adminHarness();
  await app.services.settings.save("forms", { forms: [CLUB] } as never);
  const admin = await app.signIn();
  const { html } = await admin.search("/subscribers", {
    field: "guests",
    operator: "at_least",
    answer: "many",
  });
  assert.match(html, /<details[^>]* open/);
  assert.match(html, /id="filter-answer"[^>]*aria-invalid="true"[^>]*value="many"/);
  assert.match(html, /Enter a number such as 4\.5/);
  assert.match(html, /<option value="guests" selected[^>]*>Guests \(guests\)/);
  const path = await admin.search("/subscribers", { path: "about" });
  assert.match(path.html, /id="filter-path-error">Enter a path/);
});

Deno.test("without fields in any form, there is no filter by an answer, unless the search has one", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  assert.doesNotMatch((await admin.page("/subscribers")).html, /id="filter-answer"/);
  const removed = await admin.search("/subscribers", { field: "removed" });
  assert.match(removed.html, /<option value="removed" selected/);
  assert.deepEqual(chipsOf(removed.html).map(([text]) => text), ["removed has an answer"]);
});

Deno.test("a filter by an answer that few gave says how far it searched, and goes on there", async () => {
  await using app = await adminHarness();
  await insertSampleRecords(app.kv, 1_100);
  const admin = await app.signIn();
  const { html } = await admin.search("/subscribers", { field: "size", answer: "none", path: "/blog/*" });
  assert.equal(headingOf(html), "No results so far");
  const next = /href="\/admin([^"]*)">Continue searching/.exec(html)![1]!.replaceAll("&amp;", "&");
  const last = await admin.page(next);
  assert.doesNotMatch(last.html, /Continue searching/);
});

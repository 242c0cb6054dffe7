import assert from "node:assert/strict";
import { auditKey, type AuditRow } from "../../platform/audit/row.ts";
import { type AdminHarness, adminHarness } from "../../../dev/testing/admin_harness.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import { settingTitle } from "../frame/setting_title.ts";

const SECRET = "key-that-nobody-may-read-0042";

/** Returns the entries of a page as text, each with its details. */
function entriesOf(html: string): string[] {
  const [, list = ""] = /<ol class="entries"[^>]*>([^]*?)<\/ol>/.exec(html) ?? [];
  return list.split("<li>").slice(1).map((entry) =>
    entry.replace(/<[^>]*>/g, " ").replaceAll("&#39;", "'").replace(/\s+/g, " ").trim()
  );
}

async function storeRow(app: AdminHarness, id: string, row: Partial<AuditRow>): Promise<void> {
  const at = row.at ?? app.clock.now();
  await app.kv.set(auditKey(at, id), {
    v: 1,
    at,
    who: "ada",
    action: "cfbe_sign_in",
    result: "done",
    ...row,
  });
}

Deno.test("a saved setting is shown with its values before and after, but a secret only as changed or removed", async () => {
  await using app = await adminHarness({ configured: false });
  const admin = await app.signIn();
  const saves: [string, Record<string, string>][] = [
    ["cfbe_save_popup", { "n:fields.hideDays": "7", "o:fields.heading": "Ask ada@example.com" }],
    ["cfbe_save_general", { "fields.apiKey": SECRET, "fields.projectId": "p" }],
    ["cfbe_save_general", { "fields.apiKey": "", "b:remove.apiKey": "true" }],
    ["cfbe_save_form_locale", { locale: "de", "o:texts.button": "Los" }],
  ];
  for (const [action, fields] of saves) {
    await app.clock.advance(1000);
    assert.equal((await admin.send(action, fields)).status, 303, action);
  }
  const { html } = await admin.page("/audit");
  const [texts, removed, key, popup] = entriesOf(html) as [string, string, string, string];
  assert.match(popup, /Settings: Popup/);
  assert.match(popup, /Days hidden after closing 30 7/);
  assert.match(popup, /Heading not set Ask …@example\.com/);
  assert.match(key, /API key not shown changed/);
  assert.match(key, /Project ID empty p/);
  assert.match(removed, /API key not shown removed/);
  assert.match(texts, /German › Texts › Button not set Los/);
  assert.doesNotMatch(html, /nobody-may-read|ada@example/);
  for await (const { value } of app.kv.list({ prefix: ["s", "main", "audit"] })) {
    assert.doesNotMatch(JSON.stringify(value), /nobody-may-read|ada@example/);
  }
});

Deno.test("turning attack mode on by hand acts at once, is on the Overview, and is in the audit log", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const saved = await admin.send("cfbe_save_privacy", { "fields.attackMode": "on" });
  assert.equal(saved.status, 303);
  assert.ok((await (await app.fetch(`${NAMESPACE}/form-token`)).json()).challenge);
  const [entry] = entriesOf((await admin.page("/audit")).html);
  assert.match(entry!, /^Settings: Privacy Attack mode: auto → on the-admin/);
  assert.match((await admin.page("/overview")).html, /Attack mode has been on since 2025-01-01 12:00 UTC/);
});

Deno.test("a setting and its values in the log are stored in one commit, so that no crash leaves one without the other", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { set } = app.kv;
  // As if the process died after the commit: the result can't be recorded any more.
  app.kv.set = () => Promise.reject(new Error("the process died"));
  const response = await admin.send("cfbe_save_popup", { "n:fields.hideDays": "7" });
  app.kv.set = set;
  await response.body?.cancel();
  assert.equal(app.services.settings.current().popup.hideDays, 7);
  const [entry] = entriesOf((await admin.page("/audit")).html);
  assert.match(entry!, /^Settings: Popup .* Result done .* Days hidden after closing 30 7/);
});

Deno.test("a save that changes nothing, or that is refused, has no values in the log", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await admin.send("cfbe_save_popup", { "n:fields.hideDays": "30" });
  await admin.send("cfbe_save_popup", { "n:fields.hideDays": "99999" });
  const { rows } = await app.services.admin.audit.list();
  assert.deepEqual(
    rows.map(({ result, changes }) => [result, changes]).toSorted(),
    [["done", undefined], ["refused", undefined]],
  );
});

Deno.test("entries of an earlier version and of unknown kinds stay readable", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await storeRow(app, "a", { action: "cfbe_save_popup" });
  await storeRow(app, "b", { action: "cfbe_of_a_later_version", result: "started" });
  await storeRow(app, "c", { who: "someone as ada", result: "refused", count: 1204 });
  const [guesses, unknown, saved] = entriesOf((await admin.page("/audit")).html) as [string, string, string];
  assert.match(guesses, /^Failed sign-in \(1,204\) someone as ada/);
  assert.match(unknown, /^cfbe_of_a_later_version not finished/);
  assert.match(saved, /^Settings: Popup/);
});

Deno.test("a user whom an action affects is named, although the log stores only a hash of the name", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.signIn("viewer");
  await admin.send("cfbe_set_role", { name: "the-viewer", role: "analyst" });
  const [entry] = entriesOf((await admin.page("/audit")).html);
  assert.match(
    entry!,
    /^Change user role the-viewer · Role: viewer → analyst .* Subject the-viewer .* Role viewer analyst/,
  );
});

Deno.test("an invitation is in the log with the name and the role of the invited person", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await admin.send("cfbe_invite_user", { name: "bea", role: "viewer" });
  const [entry] = entriesOf((await admin.page("/audit")).html);
  assert.match(entry!, /^Invite user bea · Role: not set → viewer .* Subject bea /);
});

Deno.test("loading the lists is in the log with the lists that were added or removed, although no form was saved", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const knownLists = [{ id: "news", name: "Newsletter", doubleOptIn: true }];
  await app.services.settings.save("general", { knownLists });
  await admin.send("cfbe_load_lists", { _page: "/general" });
  const [entry] = entriesOf((await admin.page("/audit")).html);
  assert.match(entry!, /^Load lists .* Known lists › news › Name Newsletter not set/);
});

Deno.test("filters make a URL that shows the same entries to another user, and keeps them on the next pages", async () => {
  await using app = await adminHarness();
  const [admin, viewer] = [await app.signIn(), await app.signIn("viewer")];
  for (let index = 0; index < 60; index++) {
    await app.clock.advance(1000);
    await storeRow(app, `${index}`, { who: index % 10 === 0 ? "bob" : "ada", action: "cfbe_backup" });
  }
  const fields = {
    user: "ada",
    kind: "service",
    result: "done",
    from: "2025-01-01",
    until: "2030-01-01",
    whose: "",
  };
  const { html, path } = await admin.search("/audit", fields);
  assert.equal(path, "/audit?user=ada&kind=service&result=done&from=2025-01-01&until=2030-01-01");
  assert.equal((await viewer.page(path)).html.match(/class="entry"/g)?.length, 50);
  for (const text of ["User: ada", "Action: Jobs, backups and API", "Result: done", "From: 2025-01-01"]) {
    assert.match(html, new RegExp(`<span class="hidden">Remove the filter ${text}[^<]*</span>`), text);
  }
  for (const chosen of ["ada", "service", "done"]) {
    assert.match(html, new RegExp(`<option value="${chosen}" selected`), chosen);
  }
  const next = /href="\/admin([^"]*)" rel="next"/.exec(html)![1]!.replaceAll("&amp;", "&");
  const older = await viewer.page(next);
  assert.equal(entriesOf(older.html).length, 4);
  assert.doesNotMatch(older.html, /rel="next"/);
  assert.ok(entriesOf(html).every((entry) => !entry.includes("bob")));
});

Deno.test("an invalid filter is named at its field, and shows no entries instead of all", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await storeRow(app, "a", {});
  for (
    const [field, value] of [["kind", "toString"], ["result", "x"], ["from", "yesterday"], [
      "user",
      "x".repeat(101),
    ]]
  ) {
    const { status, html } = await admin.page(`/audit?${field}=${value}`);
    assert.equal(status, 200);
    assert.match(html, new RegExp(`id="audit-${field}-error"`));
    assert.deepEqual(entriesOf(html), []);
    assert.equal((await admin.page(`/audit/audit.csv?${field}=${value}`)).status, 400);
  }
  const { html } = await admin.search("/audit", { whose: "nonsense" });
  assert.match(html, /id="audit-whose-error">Enter a full email address/);
});

Deno.test("the export has the entries of the search, runs no formula, and is itself in the log", async () => {
  await using app = await adminHarness();
  const [viewer, analyst] = [await app.signIn("viewer"), await app.signIn("analyst")];
  await storeRow(app, "a", {
    action: "cfbe_save_popup",
    changes: [{ path: "heading", before: "=1+1", after: "@SUM(A1)" }, { path: "apiKey", secret: "changed" }],
  });
  await storeRow(app, "b", { who: "=cmd()" });
  const { status, html: csv, headers } = await viewer.page("/audit/audit.csv?until=2030-01-01");
  assert.equal(status, 200);
  assert.match(headers.get("content-disposition")!, /filename="audit-\d{4}-\d\d-\d\d\.csv"/);
  const text = csv.replace("\ufeff", "");
  const [head] = text.split("\r\n");
  assert.equal(head, "time,user,title,action,result,count_in_hour,ip,browser,subject_hash,changes");
  assert.match(text, /,'=cmd\(\),Sign in,cfbe_sign_in,done,/);
  assert.match(text, /"heading: =1\+1 → @SUM\(A1\)\napiKey: secret changed"/);
  assert.match(text, /the-viewer,Export audit log,cfbe_export_audit,done,/);
  assert.equal((await analyst.page("/audit/audit.csv")).status, 403);
  assert.equal((await app.fetch("/admin/audit/audit.csv")).status, 401);

  const bobs = await viewer.page("/audit/audit.csv?user=bob");
  assert.equal(bobs.html.split("\r\n").length, 2, "only the head");
});

Deno.test("the page says how long entries and their IPs are kept", async () => {
  await using app = await adminHarness({ settings: { privacy: { ipRetentionDays: 12 } } });
  const { html } = await (await app.signIn()).page("/audit");
  assert.match(html, /Entries are kept permanently[^<]*IP addresses are deleted after 12 days/);
});

Deno.test("the title of a setting is in plain words, and keeps names that users have chosen", () => {
  const titles = {
    "triggers.delaySeconds": "Trigger › Delay seconds",
    "forms[my_Footer].list": "Forms › my_Footer › List",
    "forms[my_Footer].opens.hideDays": "Forms › my_Footer › Opens by itself › Days hidden after closing",
    "draft[footer].locales.pt-BR.consentText": "Draft › footer › Brazilian Portuguese › Consent text",
    "locales.de": "German texts",
    "experiment.variants[b].overrides.successUrl": "Experiment › Variants › b › Overrides › Next page",
    "forms[footer].design.radius": "Forms › footer › Design › Corners",
    "experiment.variants[b].overrides.design.accentDark":
      "Experiment › Variants › b › Overrides › Design › Accent, dark",
    successUrl: "Next page",
    "knownLists[a.B].doubleOptIn": "Known lists › a.B › Double opt-in",
    shopUrl: "Shop URL",
    ipSource: "IP source",
    apiKey: "API key",
  };
  assert.deepEqual(Object.keys(titles).map(settingTitle), Object.values(titles));
});

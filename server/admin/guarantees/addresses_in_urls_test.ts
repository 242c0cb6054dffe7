/** Tests that no URL of the admin contains an email address: URLs end up in proxy logs, histories and Referers. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { insertSampleRecords } from "../../subscribers/testing/sample_records.ts";
import { type AdminHarness, adminHarness, type SignedIn } from "../../../dev/testing/admin_harness.ts";

const ADA = "ada+news@example.com";
const ORIGIN = "http://localhost:8000";
/** Maximum number of links of the same kind to follow. */
const MAX_LINKS_PER_KIND = 3;

async function withPeople(): Promise<{ app: AdminHarness; admin: SignedIn }> {
  const app = await adminHarness();
  await insertSampleRecords(app.kv, 120);
  await (await app.post({ email: ADA, consent: true })).body?.cancel();
  await app.work();
  return { app, admin: await app.signIn() };
}

/** Returns a URL's parts as a reader of a log could decode them. */
function decodings(address: string): string[] {
  const { pathname, searchParams } = new URL(address, ORIGIN);
  return [pathname, ...searchParams.values()].flatMap((text) => [
    text,
    Buffer.from(text, "base64url").toString("latin1"),
  ]);
}
/** Matches parts of the test addresses that do not occur by chance. */
const PERSON = /@(mail\d|rare|example)|ada\+/i;
const revealsAddress = (address: string) =>
  /[?&](q|place|email|whose)=/.test(address) || decodings(address).some((decoding) => PERSON.test(decoding));

/** Returns the targets of a page's links and forms, and the pages that its forms name. */
function linkTargets(html: string): string[] {
  const found = html.matchAll(/ (?:href|action|src)="([^"]*)"|name="(?:_page|next)" value="([^"]*)"/g);
  return [...found].map(([, link, page]) => (link ?? `/admin${page}`).replaceAll("&amp;", "&"));
}

Deno.test("no link, form or redirect of searches, signups, exports and the audit log contains an email address", async () => {
  const { app, admin } = await withPeople();
  await using _ = app;
  assert.ok(
    [`/x?y=${encodeURIComponent(ADA)}`, `/x?y=${Buffer.from(`["${ADA}"]`).toString("base64url")}`].every(
      revealsAddress,
    ),
  );
  const roots = ["/subscribers", "/audit", "/requests", "/jobs"];
  const long = `${"x".repeat(400)}@example.com`;
  for (const q of [ADA, "p0", "@rare.example", "ada+", "nobody@example.com", long]) {
    roots.push((await admin.search("/subscribers", { q })).path);
  }
  const filters = [{ field: "friend", answer: ADA }, { path: `/u/${ADA}` }, { campaign: ADA }];
  for (const filter of filters) roots.push((await admin.search("/subscribers", filter)).path);
  for (const whose of [ADA, "nobody@example.com"]) roots.push((await admin.search("/audit", { whose })).path);

  const seen: string[] = [];
  const followed = new Map<string, number>();
  async function follow(path: string): Promise<void> {
    const { status, html, headers } = await admin.page(path);
    assert.equal(status, 200, path);
    if (!headers.get("content-type")?.startsWith("text/html")) return;
    for (const link of linkTargets(html).filter((each) => each.startsWith("/"))) {
      seen.push(link);
      const { pathname, searchParams } = new URL(link, ORIGIN);
      if (!/^\/admin\/(subscriber|audit|requests|jobs)/.test(pathname)) continue;
      const kind = `${pathname} ${[...searchParams.keys()]}`;
      const count = (followed.get(kind) ?? 0) + 1;
      followed.set(kind, count);
      if (count <= MAX_LINKS_PER_KIND) await follow(link.slice("/admin".length));
    }
  }
  for (const root of roots) {
    seen.push(root);
    await follow(root);
  }
  assert.deepEqual(seen.filter(revealsAddress), []);
  const kinds = [...followed.keys()];
  for (
    const kind of ["/subscriber list,sealed", "/subscribers sealed", "/subscribers/subscribers.csv sealed"]
  ) {
    assert.ok(kinds.includes(`/admin${kind}`), `${kind} in ${kinds.join("; ")}`);
  }
});

Deno.test("an action on a signup redirects back to it, and no failed or signed-out response contains its address in a link", async () => {
  const { app, admin } = await withPeople();
  await using _ = app;
  const { html } = await admin.search("/subscribers", { q: ADA });
  const record = linkTargets(html).find((link) => link.startsWith("/admin/subscriber?"))!.slice(
    "/admin".length,
  );
  const shown = (await admin.page(record)).html;
  const _page = linkTargets(shown).find((link) => link.startsWith("/admin/subscriber?"))!.slice(
    "/admin".length,
  );
  assert.equal(_page, record);
  const { email, list } = (await app.record(ADA))!;
  const done = await admin.send("cfbe_check_signup", { _page, email, list });
  assert.deepEqual([done.status, done.headers.get("location")], [303, `/admin${record}`]);
  const wrong = await admin.send("cfbe_allow_again", { _page, email, list, note: "" });
  const page = await wrong.text();
  assert.deepEqual([wrong.status, page.includes(ADA), linkTargets(page).filter(revealsAddress)], [
    422,
    true,
    [],
  ]);
  const stranger = await app.fetch(`/admin${record}`);
  const signInPage = await stranger.text();
  assert.deepEqual([
    stranger.status,
    signInPage.includes(ADA),
    linkTargets(signInPage).filter(revealsAddress),
  ], [401, false, []]);
  assert.ok(linkTargets(signInPage).includes(`/admin${record}`));
});

Deno.test("a search redirects to a page that can be reloaded, shows the search in its form, and exports the same results", async () => {
  const { app, admin } = await withPeople();
  await using _ = app;
  const { html, path } = await admin.search("/subscribers", { q: ` ${ADA} `, source: "shortcode", from: "" });
  assert.match(path, /^\/subscribers\?source=shortcode&sealed=[\w-]+$/);
  assert.match(html, /name="q"[^>]*value="ada\+news@example\.com"/);
  assert.match((await admin.page(path)).html, />ada\+news@example\.com<\/a>/);
  const file = linkTargets(html).find((link) => link.includes("subscribers.json"))!;
  const exported = JSON.parse((await admin.page(file.slice("/admin".length))).html);
  assert.deepEqual(exported.map(({ email }: { email: string }) => email), [ADA]);

  const audit = await admin.search("/audit", { whose: ADA });
  assert.match(
    audit.html,
    /name="whose"[^>]*value="ada\+news@example\.com"/,
  );
  assert.match(audit.html, />Export subscribers</);
  const others = await admin.search("/audit", { whose: "nobody@example.com" });
  assert.match(others.html, />No matches</);
});

Deno.test("a link that was tampered with gets a notice, 404 or 400, but never the whole list or 500", async () => {
  const { app, admin } = await withPeople();
  await using _ = app;
  for (
    const query of ["sealed=x", `sealed=${"A".repeat(5_000)}`, "sealed=", "q=ada", "sealed=%ff&status=odd"]
  ) {
    const list = await admin.page(`/subscribers?${query}`);
    assert.deepEqual([list.status, /Search again\./.test(list.html)], [200, true], query);
    assert.equal(/@mail|@example\.com</.test(list.html), false);
    assert.equal((await admin.page(`/subscribers/subscribers.csv?${query}`)).status, 400, query);
    assert.equal((await admin.page(`/subscriber?${query}&list=news`)).status, 404, query);
    const audit = await admin.page(`/audit?${query}`);
    assert.deepEqual([audit.status, /Search again\./.test(audit.html)], [200, true], query);
  }
});

Deno.test("a search requires a session, our own origin, a page with a search, and a short body", async () => {
  const { app, admin } = await withPeople();
  await using _ = app;
  const send = async (page: string, headers: Record<string, string>, q = "ada") => {
    const body = new URLSearchParams({ q });
    const response = await app.fetch(`/admin${page}`, {
      method: "POST",
      headers: { origin: ORIGIN, ...headers },
      body,
    });
    await response.body?.cancel();
    return [response.status, response.headers.get("location")];
  };
  const { cookie } = admin;
  assert.deepEqual(await send("/subscribers", {}), [401, null]);
  assert.deepEqual(await send("/subscribers", { cookie, origin: "https://evil.example" }), [403, null]);
  assert.deepEqual(await send("/general", { cookie }), [404, null]);
  assert.deepEqual(await send("/none", { cookie }), [404, null]);
  assert.deepEqual(await send("/subscribers", { cookie }, "x".repeat(9_000)), [413, null]);
  assert.deepEqual(await send("/subscribers", { cookie }, ""), [303, "/admin/subscribers"]);
});

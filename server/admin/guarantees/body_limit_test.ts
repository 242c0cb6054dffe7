import assert from "node:assert/strict";
import { pages } from "../page_registry.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

const ORIGIN = "http://localhost:8000";

/** Every form of the admin, with a field that is too large, and what its error page says. */
const FORMS: [path: string, field: string, characters: number, message: RegExp][] = [
  ["/login", "password", 9_000, /enter a shorter name and password/],
  ["/set-up", "password", 9_000, /enter a shorter name and password/],
  ["/ajax", "fields.text", 600_000, /Nothing was changed\. Go back, shorten your input/],
  ...pages.filter(({ searchFields }) => searchFields).map((
    { path },
  ): typeof FORMS[number] => [path, "q", 9_000, /Go back and shorten it/]),
];

for (const [path, field, characters, message] of FORMS) {
  Deno.test(`a form that is too large for ${path} gets a 413 page that says what to do`, async () => {
    await using app = await adminHarness();
    const { cookie, actionUrl } = await app.signIn();
    const url = path === "/ajax" ? actionUrl("cfbe_save_general") : `/admin${path}`;
    const response = await app.fetch(url, {
      method: "POST",
      headers: { cookie, origin: ORIGIN },
      body: new URLSearchParams({ name: "the-admin", [field]: "x".repeat(characters) }),
    });
    const html = await response.text();
    assert.equal(response.status, 413);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assert.match(html, message);
    assert.match(html, /<a href="\/admin\/">Back to the admin<\/a>/);
  });
}

Deno.test("a request of a script that is too large for /ajax gets 413 as JSON, and changes nothing", async () => {
  await using app = await adminHarness();
  const { cookie, actionUrl } = await app.signIn();
  const response = await app.fetch(actionUrl("cfbe_save_general"), {
    method: "POST",
    headers: { cookie, accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({ action: "cfbe_save_general", text: "x".repeat(600_000) }),
  });
  const { ok, code } = await response.json();
  assert.deepEqual([response.status, ok, code], [413, false, "too_large"]);
});

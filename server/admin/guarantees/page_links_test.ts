import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { pages } from "../page_registry.ts";

Deno.test("a page rendered as a form's response keeps its links", async () => {
  const env = { CFBE_BASE_URL: "http://localhost:8000/news" };
  await using app = await adminHarness({
    env,
    settings: { forms: { forms: [{ name: "a" }, { name: "b" }] } },
  });
  const admin = await app.signIn();
  for (const { path } of pages) {
    const nonce = admin.nonce("cfbe_test_connection");
    const response = await admin.send("cfbe_test_connection", { _page: path, _nonce: nonce });
    const html = await response.text();
    assert.equal(response.status, 200, path);
    const [main] = /<main.*<\/main>/s.exec(html)!;
    for (const [, to] of main.matchAll(/<(?:a|form)[^>]* (?:href|action)="([^"]*)"/g)) {
      assert.match(to!, /^(\/news\/(admin\/|form\/|sandbox$)|#|data:|https?:)/, `${path} leads to ${to}`);
    }
    assert.doesNotMatch(main, /<form (?![^>]*action=)/, path);
  }
});

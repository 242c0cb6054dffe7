import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

Deno.test("the editor of a form may frame only the origin of the page that its user chose, if the settings allow it", async () => {
  await using app = await adminHarness();
  await app.services.settings.save("general", { origins: ["https://shop.example", "http://localhost:9000"] });
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  const user = await app.signIn();
  const framed = async (url: string, path = "/form-settings?form=footer") => {
    const cookie = `${user.cookie}; cfbe_behind=${encodeURIComponent(url)}`;
    const response = await app.fetch(`/admin${path}`, { headers: { cookie } });
    await response.body?.cancel();
    const [, sources] = /frame-src ([^;]*)/.exec(response.headers.get("content-security-policy")!)!;
    return [...new Set(sources!.split(" "))].filter((source) =>
      source !== "'self'" && source !== "http://localhost:8000"
    );
  };
  assert.deepEqual(await framed("https://shop.example/tea?x=1"), ["https://shop.example"]);
  assert.deepEqual(await framed("https://shop.example/", "/popup"), ["https://shop.example"]);
  assert.deepEqual(await framed("http://localhost:9000/"), ["http://localhost:9000"]);
  for (const url of ["https://other.example/", "http://shop.example/", "javascript:alert(1)", "", "%", "*"]) {
    assert.deepEqual(await framed(url), [], url);
  }
  for (const path of ["/forms", "/overview", "/form-defaults"]) {
    assert.deepEqual(await framed("https://shop.example/", path), [], path);
  }
  await app.services.settings.save("general", { origins: [] });
  assert.deepEqual(await framed("https://other.example/"), ["https://other.example"]);
  assert.deepEqual(await framed("http://other.example/"), []);
});

import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

const SCRIPT = "&lt;script async src=&quot;http://localhost:8000/cfbe.js&quot;>&lt;/script>";

Deno.test("the popup's page shows the script that a page needs, before the button that opens the popup", async () => {
  await using app = await adminHarness();
  const { html } = await (await app.signIn()).page("/popup");
  const [script, button] = [html.indexOf(SCRIPT), html.indexOf("&lt;button type=&quot;button&quot;")];
  assert.ok(script > 0 && script < button, `${script} ${button}`);
  assert.match(html, /data-copy="snippet-script"/);
});

Deno.test("the popup's check begins with whether it shows, and ends with what cfbe cannot see and the script", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const check = async (fields: Record<string, string>) => {
    const html = await (await admin.send("cfbe_save_popup", {
      _page: "/popup",
      _check: "true",
      "visit.address": "https://shop.example/blog",
      ...fields,
    })).text();
    const results = html.slice(html.indexOf('class="checks"'));
    return ["It does not show:", "It shows.", "cfbe cannot see your page", SCRIPT, "<table"]
      .filter((text) => results.includes(text))
      .sort((a, b) => results.indexOf(a) - results.indexOf(b));
  };
  const end = ["<table", "cfbe cannot see your page", SCRIPT];
  assert.deepEqual(await check({ "b:fields.enabled": "false" }), ["It does not show:", ...end]);
  assert.deepEqual(await check({ "b:fields.enabled": "true" }), ["It shows.", ...end]);
});

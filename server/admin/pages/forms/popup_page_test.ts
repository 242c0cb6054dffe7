import assert from "node:assert/strict";
import { adminHarness } from "../../testing.ts";

const SCRIPT = "&lt;script async src=&quot;http://localhost:8000/cfbe.js&quot;>&lt;/script>";

Deno.test("the popup's page shows the script that a page needs, before the button that opens the popup", async () => {
  await using app = await adminHarness();
  const { html } = await (await app.signIn()).page("/popup");
  const [script, button] = [html.indexOf(SCRIPT), html.indexOf("&lt;button type=&quot;button&quot;")];
  assert.ok(script > 0 && script < button, `${script} ${button}`);
  assert.match(html, /data-copy="snippet-script"/);
});

Deno.test("the popup's check says that it cannot see whether the page has the script, before it says that no rule blocks", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const check = async () => {
    const { html } = await admin.page("/popup?address=https://shop.example/blog");
    const results = html.slice(html.indexOf('class="checks"'));
    return ["does not show", "cfbe cannot see your page", SCRIPT, "No rule blocks", "<table"]
      .filter((text) => results.includes(text))
      .sort((a, b) => results.indexOf(a) - results.indexOf(b));
  };
  assert.deepEqual(await check(), ["does not show", "cfbe cannot see your page", SCRIPT, "<table"]);
  await app.services.settings.save("popup", { enabled: true });
  assert.deepEqual(await check(), ["cfbe cannot see your page", SCRIPT, "No rule blocks", "<table"]);
});

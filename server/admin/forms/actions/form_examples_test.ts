import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

const FOLDER = new URL("../../../../e2e/gallery/looks/", import.meta.url);

Deno.test("each of ten example forms is imported, and exported again as the same document", async () => {
  await using app = await adminHarness({ settings: {} });
  const admin = await app.signIn();
  const files = [...Deno.readDirSync(FOLDER)];
  assert.equal(files.length, 10);
  for (const { name: file } of files) {
    const document = await Deno.readTextFile(new URL(file, FOLDER));
    const fields = { _page: "/forms", document };
    const response = await admin.send("cfbe_import_form", fields, { accept: "application/json" });
    assert.equal(response.status, 200, `${file}: ${await response.text()}`);
    const { html } = await admin.page(`/forms/${file}`);
    assert.deepEqual(JSON.parse(html), JSON.parse(document), file);
  }
});

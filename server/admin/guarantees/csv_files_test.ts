import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { DOWNLOADS } from "../download_routes.ts";

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

Deno.test("every CSV file of the admin begins with what makes spreadsheets read it as UTF-8", async () => {
  await using app = await adminHarness();
  await app.services.settings.save("forms", { forms: [{ name: "footer", title: "Herbstgrüße" }] });
  const { cookie, send } = await app.signIn();
  await (await send("cfbe_create_experiment", { form: "footer" })).body?.cancel();
  const paths = DOWNLOADS.filter(({ path, asksPassword }) => path.endsWith(".csv") && !asksPassword);
  assert.ok(paths.length >= 3);
  for (const { path } of paths) {
    const response = await app.fetch(`/admin${path}?form=footer`, { headers: { cookie } });
    assert.equal(response.headers.get("content-type"), "text/csv; charset=utf-8", path);
    assert.deepEqual([...(await response.bytes()).subarray(0, 3)], BYTE_ORDER_MARK, path);
  }
});

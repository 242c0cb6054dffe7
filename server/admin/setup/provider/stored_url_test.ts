import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

Deno.test("the credentials of a URL that an earlier version has stored are shown to no role, and not in the audit log", async () => {
  await using app = await adminHarness({ settings: { general: { provider: "listmonk" } } });
  await app.services.settings.save("general", {
    listmonkUrl: "https://ann-7:first-secret@lists.example/sub?key=second-secret",
    listmonkToken: "cfbe:token",
  });
  const hidden = /ann-7|first-secret|second-secret/;
  for (const role of ["admin", "support", "marketer", "analyst"] as const) {
    const user = await app.signIn(role);
    for (const path of ["/provider", "/general", "/", "/first-run"]) {
      assert.doesNotMatch((await user.page(path)).html, hidden, `${role} ${path}`);
    }
  }
  const admin = await app.signIn();
  assert.match((await admin.page("/provider")).html, /https:\/\/…@lists\.example\/sub\?…/);
  // What is shown is not saved by mistake.
  const shown = await admin.send("cfbe_save_general", {
    "fields.listmonkUrl": "https://…@lists.example/sub?…",
  });
  assert.equal(shown.status, 422);
  await shown.body?.cancel();
  const saved = await admin.send("cfbe_save_general", { "fields.listmonkUrl": "https://lists.example" });
  assert.equal(saved.status, 303);
  await saved.body?.cancel();
  const { html } = await admin.page("/audit");
  assert.match(html, /listmonkUrl/);
  assert.doesNotMatch(html, hidden);
});

import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

/** Two admins save the same settings: nothing that one of them saved is lost, and no secret is shown. */

/** Returns the version of the page's settings form, which is empty before the first save. */
const version = (html: string) => /name="version" value(?:="([^"]*)")?/.exec(html)?.[1] ?? "";

Deno.test("a conflict does not reveal the tab's secrets", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const tabs = { general: ["apiKey"], checkout: ["secret", "apiKey", "apiSecret"] };
  for (const [tab, secrets] of Object.entries(tabs)) {
    const fields = Object.fromEntries(
      secrets.map((name) => [`fields.${name}`, `the-stored-${name}-nobody-may-read`]),
    );
    const seen = version((await admin.page(`/${tab}`)).html);
    assert.equal((await admin.send(`cfbe_save_${tab}`, { ...fields, version: seen })).status, 303);
    // As a browser sends them: the fields of secrets are present and empty.
    const untouched = Object.fromEntries(Object.keys(fields).map((name) => [name, ""]));
    const conflict = await admin.send(`cfbe_save_${tab}`, { _page: `/${tab}`, version: seen, ...untouched });
    assert.equal(conflict.status, 409);
    assert.doesNotMatch(await conflict.text(), /the-stored-/);
  }
});

Deno.test("rows added and removed on a page opened before another save do not overwrite it", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const row = (index: number, tag: string) => ({
    [`fields.interests.${index}.tag`]: tag,
    [`fields.interests.${index}.label`]: tag,
  });
  const seen = version((await admin.page("/form-defaults")).html);
  const mine = { _page: "/form-defaults", ...row(0, "mine"), ...row(1, "not-mine") };
  assert.equal((await admin.send("cfbe_save_form", { version: seen, ...row(0, "others") })).status, 303);

  let page = seen;
  for (const edit of [{ _add: "fields.interests" }, { _remove: "fields.interests.1" }]) {
    const edited = await admin.send("cfbe_save_form", { ...mine, version: page, ...edit });
    page = version(await edited.text());
  }
  const late = await admin.send("cfbe_save_form", { ...mine, version: page });
  const html = await late.text();
  assert.equal(late.status, 409);
  assert.deepEqual(app.services.settings.current().form.interests.map(({ tag }) => tag), ["others"]);
  // An admin who has seen the differences can save, even after adding another row.
  const again = await admin.send("cfbe_save_form", {
    ...mine,
    version: version(html),
    _add: "fields.interests",
  });
  const last = { ...mine, version: version(await again.text()) };
  assert.equal((await admin.send("cfbe_save_form", last)).status, 303);
});

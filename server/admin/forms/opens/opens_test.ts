import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

const PAGE = "/form-settings?form=sale";

Deno.test("a form becomes one that opens by itself with a button, keeps its rules when saved, and becomes placed again", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.services.settings.save("forms", { forms: [{ name: "sale" }] });
  const send = async (fields: Record<string, string>) =>
    await (await admin.send("cfbe_edit_form", { _page: PAGE, form: "sale", ...fields })).text();
  const saved = () => app.services.settings.current().forms.forms[0]!.opens;

  assert.match((await admin.page(PAGE)).html, /It shows only where a page has it/);
  const html = await send({ _own: "fields.opens" });
  assert.match(html, /name="fields.opens.kind"/);
  assert.match(html, /name="n:fields.opens.triggers.delaySeconds" value="20"/);
  assert.equal(saved(), undefined, "nothing is saved until Save");

  await send({
    "fields.opens.kind": "bar-top",
    "n:fields.opens.triggers.delaySeconds": "5",
    "n:fields.opens.hideDays": "7",
    "l:fields.opens.excludePaths": "/blog\n/jobs",
  });
  assert.deepEqual(
    [saved()?.kind, saved()?.triggers.delaySeconds, saved()?.hideDays, saved()?.excludePaths],
    [
      "bar-top",
      5,
      7,
      ["/blog", "/jobs"],
    ],
  );
  const after = (await admin.page(PAGE)).html;
  assert.match(after, /<option value="bar-top" selected/);
  assert.match(after, /data-cfbe-open=&quot;sale&quot;/);
  assert.match((await admin.page("/forms")).html, /Bar at the top/);
  assert.match((await admin.page("/popup")).html, />sale<\/a> \(Bar at the top\)/);

  await send({
    "fields.opens.kind": "slide-in",
    "o:fields.opens.corner": "start",
    "o:fields.opens.width": "",
  });
  assert.deepEqual(
    [saved()?.kind, saved()?.corner, "width" in saved()!],
    ["slide-in", "start", false],
    "a choice that is the default is not stored",
  );
  assert.match((await admin.page(PAGE)).html, /<option value="start" selected/);
  await send({ "fields.opens.kind": "bar-top", "o:fields.opens.corner": "", "n:fields.opens.hideDays": "7" });
  assert.equal(saved()?.corner, undefined);

  assert.match(
    await send({ "fields.opens.kind": "bar-top", "n:fields.opens.hideDays": "0" }),
    /hideDays|error/,
  );
  assert.equal(saved()?.hideDays, 7, "an invalid value saves nothing");
  await send({ "o:fields.opens": "" });
  assert.equal(saved(), undefined);
});

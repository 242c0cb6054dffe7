import assert from "node:assert/strict";
import { adminHarness, type SignedIn } from "../../testing.ts";

/** The check of the rules on the page of the popup and of a form that opens by itself, without JavaScript. */

const settings = {
  popup: { enabled: true },
  forms: {
    forms: [{ name: "sale", opens: { kind: "slide-in", excludePaths: ["/jobs"] } }, { name: "footer" }],
  },
};
const PAGE = "/form-settings?form=sale";

async function world() {
  const app = await adminHarness({ settings });
  const checkAs = async (user: SignedIn, fields: Record<string, string>) => {
    const response = await user.send("cfbe_edit_form", {
      _page: PAGE,
      _check: "true",
      form: "sale",
      "visit.address": "https://shop.example/jobs",
      ...fields,
    });
    return { status: response.status, html: await response.text() };
  };
  return { app, checkAs };
}

/** What the page sends for a slide-in whose only condition is a path. */
const shownOn = (path: string, values: Record<string, string> = {}) => ({
  "fields.opens.kind": "slide-in",
  "l:fields.opens.excludePaths": "",
  "n:fields.opens.hideDays": "12",
  "a:fields.opens.targeting": "",
  "a:fields.opens.targeting.0.conditions": "",
  "fields.opens.targeting.0.conditions.0.kind": "path",
  "fields.opens.targeting.0.conditions.0.match": "starts",
  "fields.opens.targeting.0.conditions.0.value": path,
  ...values,
});

Deno.test("the check uses the values on the page, keeps them there, saves nothing and names the rule that blocks", async () => {
  const { app, checkAs } = await world();
  await using _ = app;
  const admin = await app.signIn();
  const before = await app.dump();
  const blocked = await checkAs(admin, shownOn("/blog"));
  assert.equal(blocked.status, 200);
  assert.match(blocked.html, /Not shown: the page's path doesn't match\./);
  assert.match(blocked.html, /name="n:fields.opens.hideDays" value="12"/);
  assert.match(blocked.html, /name="visit.address"[^>]* value="https:\/\/shop.example\/jobs"/);
  assert.match(blocked.html, /<span data-unsaved="true">Unsaved changes/);
  const free = await checkAs(admin, shownOn("/jobs"));
  assert.doesNotMatch(free.html, /Not shown:/);
  assert.match(free.html, /No rule blocks the form sale for this visitor/);
  assert.match(free.html, /cfbe\.why\((&quot;|")sale(&quot;|")\)/);
  assert.match(free.html, /Hidden for 24 hours after the visitor closed any form that opens by itself/);
  assert.match(free.html, /these come first: the popup/);
  assert.equal(await app.dump(), before);
});

Deno.test("the check marks values that could not be saved, and a URL that is missing", async () => {
  const { app, checkAs } = await world();
  await using _ = app;
  const admin = await app.signIn();
  const invalid = await checkAs(admin, shownOn("/jobs", { "n:fields.opens.hideDays": "0" }));
  assert.equal(invalid.status, 422);
  assert.match(invalid.html, /id="edit-form-fields-opens-hideDays"[^>]*aria-invalid="true"/);
  assert.doesNotMatch(invalid.html, /class="checks"/);
  const unnamed = await checkAs(admin, shownOn("/jobs", { "visit.address": "" }));
  assert.equal(unnamed.status, 200);
  assert.match(unnamed.html, /Enter a full URL/);
});

Deno.test("a form that changes nothing is checked without being marked as unsaved, and a viewer checks what is saved", async () => {
  const { app, checkAs } = await world();
  await using _ = app;
  const same = await checkAs(await app.signIn(), {
    "fields.opens.kind": "slide-in",
    "l:fields.opens.excludePaths": "/jobs",
  });
  assert.match(same.html, /Not shown: the page's path is excluded\./);
  assert.match(same.html, /<span data-unsaved="true" hidden>/);
  const viewed = await checkAs(await app.signIn("viewer"), {});
  assert.match(viewed.html, /Not shown: the page's path is excluded\./);
});

Deno.test("a form that shows only where a page has it is checked by its own targeting, before that is saved", async () => {
  const { app } = await world();
  await using _ = app;
  const admin = await app.signIn();
  const send = async (fields: Record<string, string>) => {
    const sent = { _page: "/form-settings?form=footer", form: "footer", ...fields };
    return await (await admin.send("cfbe_edit_form", sent)).text();
  };
  const visit = { _check: "true", "visit.address": "https://shop.example/tea" };
  assert.match(await send(visit), /No rule blocks the form footer/);
  const group = {
    "fields.targeting.0.conditions.0.kind": "path",
    "fields.targeting.0.conditions.0.match": "starts",
    "fields.targeting.0.conditions.0.value": "/blog",
  };
  const html = await send({ ...visit, ...group });
  assert.match(
    html,
    /Not shown: the page&#39;s path doesn&#39;t match|Not shown: the page's path doesn't match/,
  );
  assert.match(html, /Group 1: Path starts with \/blog/);
  assert.doesNotMatch(html, /Once per visit/);
  assert.deepEqual(app.services.settings.current().forms.forms.at(-1)!.targeting, [], "nothing is saved");
});

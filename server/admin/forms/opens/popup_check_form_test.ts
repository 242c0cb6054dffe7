import assert from "node:assert/strict";
import { adminHarness, type SignedIn } from "../../../../dev/testing/admin_harness.ts";

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
      ...(user.actor.role === "viewer" && { _check_only: "1" }),
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
  "n:fields.opens.triggers.delaySeconds": "5",
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
  assert.match(blocked.html, /It does not show: the page's path doesn't match\./);
  assert.match(blocked.html, /name="n:fields.opens.hideDays" value="12"/);
  assert.match(blocked.html, /name="visit.address"[^>]* value="https:\/\/shop.example\/jobs"/);
  assert.match(blocked.html, /<span data-unsaved="true" class="hidden">Unsaved changes/);
  const free = await checkAs(admin, shownOn("/jobs"));
  assert.doesNotMatch(free.html, /It does not show/);
  assert.match(free.html, /It shows\. Opens after 5 seconds on the page\./);
  assert.match(free.html, /<h3>Where the page has it<\/h3>/);
  assert.match(free.html, /cfbe\.why\((&quot;|")sale(&quot;|")\)/);
  assert.match(free.html, /None opens by itself for 24 hours after that/);
  assert.equal(await app.dump(), before);
});

Deno.test("the check marks values that could not be saved, and a URL that is missing; a path is one of the site", async () => {
  const { app, checkAs } = await world();
  await using _ = app;
  const admin = await app.signIn();
  const invalid = await checkAs(admin, shownOn("/jobs", { "n:fields.opens.hideDays": "0" }));
  assert.equal(invalid.status, 422);
  assert.match(invalid.html, /id="edit-form-fields-opens-hideDays"[^>]*aria-invalid="true"/);
  assert.doesNotMatch(invalid.html, /class="checks"/);
  const unnamed = await checkAs(admin, shownOn("/jobs", { "visit.address": "" }));
  assert.equal(unnamed.status, 200);
  assert.match(unnamed.html, /Enter a URL/);
  const onSite = await checkAs(admin, shownOn("/jobs", { "visit.address": "/jobs?ref=a" }));
  assert.match(onSite.html, /name="visit.address"[^>]* value="https?:\/\/[^/"]+\/jobs\?ref=a"/);
  assert.match(onSite.html, /It shows\./);
});

Deno.test("a form that changes nothing is checked without being marked as unsaved, and a viewer checks what is saved", async () => {
  const { app, checkAs } = await world();
  await using _ = app;
  const same = await checkAs(await app.signIn(), {
    "fields.opens.kind": "slide-in",
    "l:fields.opens.excludePaths": "/jobs",
  });
  assert.match(same.html, /It does not show: the page's path is excluded\./);
  assert.match(same.html, /<span data-unsaved="true" hidden class="hidden">/);
  const viewed = await checkAs(await app.signIn("viewer"), {});
  assert.match(viewed.html, /It does not show: the page's path is excluded\./);
  const page = (await (await app.signIn("viewer")).page(PAGE)).html;
  assert.match(page, /action="\/admin\/ajax\?action=cfbe_edit_form&amp;_nonce=[\w-]+&amp;_check_only=1"/);
});

Deno.test("a user who may only check a form's rules cannot save them the same way, nor run another action", async () => {
  const { app } = await world();
  await using _ = app;
  const viewer = await app.signIn("viewer");
  const before = await app.dump();
  const fields = { form: "sale", "fields.heading": "New", _check_only: "1" };
  for (const action of ["cfbe_edit_form", "cfbe_deactivate", "cfbe_save_general"]) {
    const response = await viewer.send(action, fields);
    await response.body?.cancel();
    assert.equal(response.status, 403, action);
  }
  assert.equal(await app.dump(), before);
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
  assert.match(await send(visit), /It shows\./);
  const group = {
    "fields.targeting.0.conditions.0.kind": "path",
    "fields.targeting.0.conditions.0.match": "starts",
    "fields.targeting.0.conditions.0.value": "/blog",
  };
  const html = await send({ ...visit, ...group });
  assert.match(
    html,
    /It does not show: the page(&#39;|')s path doesn(&#39;|')t match/,
  );
  assert.match(html, /Group 1: Path starts with \/blog/);
  assert.doesNotMatch(html, /Once per session/);
  assert.deepEqual(app.services.settings.current().forms.forms.at(-1)!.targeting, [], "nothing is saved");
});

Deno.test("a button checks for a typical visitor, and fills in the description", async () => {
  const { app, checkAs } = await world();
  await using _ = app;
  const { html } = await checkAs(await app.signIn(), { ...shownOn("/jobs"), _check: "closed" });
  assert.match(html, /<option value="closed" selected/);
  assert.match(
    html,
    /It does not show: the visitor closed it, and it stays hidden for 12 days\. For this visitor, it would show from/,
  );
});

Deno.test("a result has a link that shows it again for the saved rules, to anyone who can sign in, without the page's URL in it", async () => {
  const { app, checkAs } = await world();
  await using _ = app;
  const address = "https://shop.example/jobs?email=ada@example.com";
  const { html } = await checkAs(await app.signIn(), {
    ...shownOn("/jobs"),
    "visit.address": address,
    "visit.device": "phone",
  });
  const [, link] = /<pre id="snippet-why-link"[^>]*>([^<]*)</.exec(html)!;
  const { href, pathname, search, hash } = new URL(link!.replaceAll("&amp;", "&"));
  assert.deepEqual([pathname, hash], ["/admin/form-settings", "#why"]);
  assert.doesNotMatch(href, /shop|ada|visit=/);
  assert.match(html, /The link checks the saved rules/);

  const page = `/form-settings${search}`;
  const viewer = await app.signIn("viewer");
  const shown = await viewer.page(page);
  assert.equal(shown.status, 200);
  assert.match(shown.html, /It does not show: the page's path is excluded\./);
  assert.match(
    shown.html,
    /name="visit.address"[^>]* value="https:\/\/shop.example\/jobs\?email=ada@example.com"/,
  );
  assert.match(shown.html, /<option value="phone" selected/);
  assert.doesNotMatch(shown.html, /The link checks the saved rules/);
  assert.doesNotMatch((await viewer.page(PAGE)).html, /class="checks"/);

  for (const query of ["sealed=x", "visit=address%3Dhttps%3A%2F%2Fshop.example"]) {
    const { status, html } = await viewer.page(`/form-settings?form=sale&${query}`);
    assert.deepEqual([status, /This link has expired or is not valid/.test(html)], [200, true], query);
    assert.doesNotMatch(html, /class="checks"/);
  }
});

Deno.test("while cfbe is deactivated, a result says that signups get an error", async () => {
  const { app, checkAs } = await world();
  await using _ = app;
  const admin = await app.signIn();
  assert.doesNotMatch((await checkAs(admin, {})).html, /every signup gets an error/);
  await app.services.activation.deactivate();
  assert.match((await checkAs(admin, {})).html, /cfbe is deactivated\. Pages still show the form/);
});

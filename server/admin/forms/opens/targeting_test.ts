import assert from "node:assert/strict";
import { targeting } from "../../../settings/schema/targeting_schema.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

/** The popup's targeting in the admin, without JavaScript. */

const GROUP = {
  conditions: [
    { kind: "path", match: "starts", value: "/blog/*", not: false },
    { kind: "time", days: ["mon"], from: "09:00", to: "17:00", timeZone: "UTC", not: true },
  ],
};
const at = "fields.targeting.0.conditions";
/** The inputs that the page sends for the group. */
const INPUTS = {
  "a:fields.targeting": "",
  [`a:${at}`]: "",
  [`${at}.0.kind`]: "path",
  [`${at}.0.match`]: "starts",
  [`${at}.0.value`]: "/blog/*",
  [`b:${at}.0.not`]: "false",
  [`${at}.1.kind`]: "time",
  [`a:${at}.1.days`]: "",
  [`${at}.1.days.0`]: "mon",
  [`${at}.1.from`]: "09:00",
  [`${at}.1.to`]: "17:00",
  [`${at}.1.timeZone`]: "UTC",
  [`b:${at}.1.not`]: "true",
};

async function signedIn() {
  const app = await adminHarness();
  const admin = await app.signIn();
  const send = async (fields: Record<string, string>) =>
    await (await admin.send("cfbe_save_popup", { _page: "/popup", ...fields })).text();
  return { app, admin, send, saved: () => app.services.settings.current().popup.targeting };
}

const kindsIn = (html: string) =>
  [...html.matchAll(/name="fields\.targeting\.(\d+)\.conditions\.\d+\.kind" value="(\w+)"/g)]
    .map(([, group, kind]) => `${group} ${kind}`);

Deno.test("groups and conditions are added and removed with buttons, and nothing is saved until Save", async () => {
  const { app, admin, send, saved } = await signedIn();
  await using _ = app;
  assert.deepEqual(kindsIn(await send({ ...INPUTS, _add: `${at}?kind=width&match=below&value=768` })), [
    "0 path",
    "0 time",
    "0 width",
  ]);
  const { html: shown } = await admin.page("/popup");
  const groups = [...shown.matchAll(/name="_add" value="fields\.targeting\?([^"]+)"/g)];
  assert.equal(groups.length, 11);
  for (const [, query] of groups) {
    const values = new URLSearchParams(query!.replaceAll("&amp;", "&"));
    const html = await send({ ...INPUTS, _add: `fields.targeting?${values}` });
    assert.match(html, /Group 2: all conditions must hold/);
    assert.deepEqual(kindsIn(html), ["0 path", "0 time", `1 ${values.get("conditions.0.kind")}`]);
  }
  assert.deepEqual(kindsIn(await send({ ...INPUTS, _remove: `${at}.0` })), ["0 time"]);
  assert.deepEqual(kindsIn(await send({ ...INPUTS, _remove: "fields.targeting.0" })), []);
  assert.deepEqual(saved(), []);
});

Deno.test("saving stores the groups, the page shows them again, and removing all means everyone", async () => {
  const { app, admin, send, saved } = await signedIn();
  await using _ = app;
  await send(INPUTS);
  assert.deepEqual(saved(), targeting.parse([GROUP]));
  const { html } = await admin.page("/popup");
  assert.deepEqual(kindsIn(html), ["0 path", "0 time"]);
  assert.equal([...html.matchAll(/<input[^>]*days\.\d"[^>]*checked/g)].length, 1);
  await send({ "a:fields.targeting": "" });
  assert.deepEqual(saved(), []);
});

Deno.test("an invalid condition is named at its field, and nothing is saved", async () => {
  const { app, send, saved } = await signedIn();
  await using _ = app;
  const path = await send({ ...INPUTS, [`${at}.0.value`]: "blog" });
  assert.match(path, /fields-targeting-0-conditions-0-value-error">Must start with \//);
  const { [`${at}.1.days.0`]: _monday, ...noDay } = INPUTS;
  assert.match(await send(noDay), /Must have at least one day/);
  assert.match(await send({ "a:fields.targeting": "", [`a:${at}`]: "" }), /Must have at least one condition/);
  assert.deepEqual(saved(), []);
});

Deno.test("the page explains each condition for the visitor that the user describes", async () => {
  const { app, send } = await signedIn();
  await using _ = app;
  const html = await send({
    ...INPUTS,
    "b:fields.enabled": "true",
    _check: "true",
    "visit.address": "https://shop.example/tea",
    "visit.time": "2030-01-07T10:00",
    "visit.width": "390",
  });
  assert.match(html, /It does not show: the page's path doesn't match, and the date and time don't match\./);
  assert.match(html, /Group 1: Path starts with \/blog\/\*/);
  assert.match(html, /The path is \/tea\./);
  assert.match(html, /It is Monday 10:00\./);
  assert.match(html, /<input[^>]*value="2030-01-07T10:00"/);
});

Deno.test("a form that shows only where a page has it has a targeting, and a snippet that then reserves no height", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { settings } = app.services;
  await settings.save("forms", { forms: [{ name: "footer" }] });
  const page = "/form-settings?form=footer";
  const saved = () => settings.current().forms.forms[0]!.targeting;
  const send = async (fields: Record<string, string>) =>
    await (await admin.send("cfbe_edit_form", { _page: page, form: "footer", ...fields })).text();

  const { html } = await admin.page(page);
  assert.match(html, /id="audience"/);
  assert.match(html, /min-height: var\(--cfbe-min-height\)/);
  await send(INPUTS);
  assert.deepEqual(saved(), [GROUP]);
  const targeted = (await admin.page(page)).html;
  assert.deepEqual(kindsIn(targeted).length, 2);
  assert.match(targeted, /the snippet reserves no height/);
  assert.match(targeted, /preload=(&quot;|")placed rules targeting/);
  assert.doesNotMatch(targeted, /min-height: var\(--cfbe-min-height\)/);
  await send({ "a:fields.targeting": "" });
  assert.deepEqual(saved(), []);
});

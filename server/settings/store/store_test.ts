import assert from "node:assert/strict";
import { z } from "zod";
import type { Kv } from "../../platform/kv/port.ts";
import { environmentLayer, readEnvironment } from "./environment.ts";
import { systemRandom } from "../../platform/deps.ts";
import { createKeyring } from "../../platform/keys/keyring.ts";
import { keys } from "../../platform/kv/keys.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { settingsOfForm } from "../forms/form_settings.ts";
import { type Layer, overlay } from "./precedence.ts";
import { secretFields, SettingsSchema, type Tab, tabs } from "../schema/schema.ts";
import { describeProblems, openSettings } from "./store.ts";

const SALT = "a salt for tests, long enough to be one";
const OLD = "another salt that was in use until today";

function open(
  kv: Kv,
  more: { fixed?: [Layer?, Layer?]; fallback?: Layer; salts?: [string, ...string[]] } = {},
) {
  const { fixed = [], fallback = {}, salts = [SALT] } = more;
  return openSettings({ kv, keyring: createKeyring(salts), random: systemRandom, fixed, fallback });
}

Deno.test("without any layer, every setting has its default", () => {
  const { general, form, popup, coupon, privacy, carts, webhooks } = SettingsSchema.parse({});
  assert.deepEqual(general.modules, {
    webhooks: true,
    coupons: false,
    carts: false,
    checkout: false,
    contactSync: false,
    orderEmails: false,
  });
  assert.deepEqual([general.apiKey, general.defaultList, general.origins, general.knownLists], [
    "",
    "",
    [],
    [],
  ]);
  assert.deepEqual([form.nameField, form.consent, form.showAlreadySubscribed], ["hidden", "off", false]);
  assert.deepEqual([popup.enabled, popup.hideDays, popup.excludePaths], [false, 30, []]);
  assert.deepEqual([privacy.ipSource, privacy.trustedHops, privacy.ipRetentionDays], ["default", 1, 90]);
  assert.deepEqual([carts.delayMinutes, carts.audience], [60, "consented"]);
  assert.deepEqual([coupon.kind, webhooks.secret], ["percent", ""]);
});

Deno.test("precedence is environment, config file, saved settings, the sandbox's settings, default", async () => {
  await using temp = await tempKv();
  const env = environmentLayer(
    readEnvironment({ CFBE_PROVIDER_API_KEY: "env", CFBE_PROVIDER_PROJECT: "env" }),
  );
  const file = { general: { apiKey: "file", defaultList: "file", projectId: "file" } };
  const fallback = {
    general: { apiKey: "made", defaultList: "made", projectId: "made" },
    popup: { list: "made" },
  };
  const settings = await open(temp.kv, { fixed: [file, env], fallback });
  await settings.save("general", {
    apiKey: "saved",
    defaultList: "saved",
    origins: ["https://saved.example"],
  });
  const { general, popup, privacy } = settings.current();
  assert.deepEqual([general.apiKey, general.projectId, general.defaultList], ["env", "env", "file"]);
  assert.deepEqual([general.origins, popup.list, privacy.ipSource], [
    ["https://saved.example"],
    "made",
    "default",
  ]);
});

Deno.test("layers are merged by member, and arrays are replaced", () => {
  assert.deepEqual(overlay({ a: { x: 1, y: [1, 2] }, b: 1 }, { a: { y: [3] } }, { a: { x: undefined } }), {
    a: { x: 1, y: [3] },
    b: 1,
  });
});

Deno.test("saved secrets are encrypted in the database and can be read again", async () => {
  await using temp = await tempKv();
  const settings = await open(temp.kv);
  for (const [tab, field] of secretFields()) {
    await settings.save(tab as Tab, { [field]: `plain-${tab}-${field}` });
  }
  const rows = await Array.fromAsync(temp.kv.list({ prefix: [] }));
  assert.ok(rows.length > 0);
  assert.doesNotMatch(Deno.inspect(rows, { depth: 20, strAbbreviateSize: 1e6 }), /plain-/);
  const current = (await open(temp.kv)).current() as unknown as Record<string, Record<string, string>>;
  for (const [tab, field] of secretFields()) assert.equal(current[tab]![field], `plain-${tab}-${field}`);
});

Deno.test("a save returns the tab before and after without any secret, not even one that the environment sets", async () => {
  await using temp = await tempKv();
  const env = { checkout: { secret: "secret-of-the-environment" } };
  const settings = await open(temp.kv, { fixed: [{}, env] });
  const { before, after, secrets } = await settings.save("checkout", {
    label: "Yes",
    apiKey: "ck_new",
    apiSecret: "",
  });
  assert.deepEqual([before.label === after.label, after.label], [false, "Yes"]);
  assert.deepEqual(secrets, { apiKey: "changed", apiSecret: "removed" });
  assert.doesNotMatch(JSON.stringify([before, after]), /secret-of|ck_new/);
});

Deno.test("a saved secret is readable after a change of salt while the old salt is listed, and empty after that", async () => {
  await using temp = await tempKv();
  await (await open(temp.kv, { salts: [OLD] })).save("general", { apiKey: "plain-key" });
  assert.equal((await open(temp.kv, { salts: [SALT, OLD] })).current().general.apiKey, "plain-key");
  assert.equal((await open(temp.kv)).current().general.apiKey, "");
});

Deno.test("another process's save takes effect after a refresh and is not undone by our own saves", async () => {
  await using temp = await tempKv();
  const [one, two] = [await open(temp.kv), await open(temp.kv)];
  await one.save("form", { nameField: "required" });
  assert.equal(two.current().form.nameField, "hidden");
  await two.save("form", { showAlreadySubscribed: true });
  await one.refresh();
  assert.deepEqual(
    [one.current().form.nameField, one.current().form.showAlreadySubscribed],
    ["required", true],
  );
});

Deno.test("invalid settings are not saved, and the error has the path of the problem", async () => {
  await using temp = await tempKv();
  const settings = await open(temp.kv);
  const wrong: [Tab, Layer, RegExp][] = [
    ["form", { consent: "required" }, /settings\.form\.consentText must not be empty/],
    ["general", { origins: ["https://a.example/path"] }, /settings\.general\.origins\.0 must be an origin/],
    ["privacy", { trustedHops: 0 }, /settings\.privacy\.trustedHops/],
    [
      "privacy",
      { trustedProxies: ["10.0.0.0/8", "my-proxy"] },
      /settings\.privacy\.trustedProxies\.1 must be an IP or a range/,
    ],
    ["coupon", { amount: 101 }, /settings\.coupon\.amount must be at most 100/],
    ["forms", { forms: [{ name: "a" }, { name: "a" }] }, /two forms have the same name/],
    ["popup", { nonsense: 1 }, /nonsense/],
  ];
  for (const [tab, fields, problem] of wrong) {
    await assert.rejects(settings.save(tab, fields), (error) => {
      assert.ok(error instanceof z.ZodError);
      assert.match(describeProblems(error).join("\n"), problem);
      return true;
    });
  }
  assert.deepEqual(settings.current(), SettingsSchema.parse({}));
  assert.equal((await Array.fromAsync(temp.kv.list({ prefix: [] }))).length, 0);
});

Deno.test("saved settings that became invalid can be corrected by a save", async () => {
  await using temp = await tempKv();
  const [settings, other] = [await open(temp.kv), await open(temp.kv)];
  await other.save("form", { consent: "required", consentText: "Yes." });
  const row = (await temp.kv.get<{ fields: Layer }>(["s", "main", "settings", "form"])).value!;
  await temp.kv.set(["s", "main", "settings", "form"], { ...row, fields: { consent: "required" } });
  await assert.rejects(settings.refresh(), (error) => error instanceof z.ZodError);
  assert.equal(settings.current().form.consent, "off", "the last valid settings remain in effect");
  await settings.save("form", { consentText: "Yes." });
  assert.equal(settings.current().form.consent, "required");
});

Deno.test("an empty object is valid for every tab", () => {
  for (const tab of Object.values(tabs)) assert.ok(tab.safeParse({}).success);
});

Deno.test("a field is reported as fixed by the environment, else by the config file, else not at all", async () => {
  await using temp = await tempKv();
  const file = { general: { apiKey: "f", modules: { carts: true } }, webhooks: { secret: "f" } };
  const settings = await open(temp.kv, { fixed: [file, { general: { apiKey: "e", projectId: undefined } }] });
  const fixed = [
    "general.apiKey",
    "webhooks.secret",
    "general.modules.carts",
    "general.projectId",
    "popup.list",
  ];
  assert.deepEqual(fixed.map((path) => settings.fixedBy(path)), [
    "environment",
    "config file",
    "config file",
    undefined,
    undefined,
  ]);
});

Deno.test("a form saved by an earlier version inherits everything, and a removed own value brings the default back", async () => {
  await using temp = await tempKv();
  const old = { name: "footer", layout: "inline", list: "", tags: [], heading: "Hello" };
  await temp.kv.set(keys.settings("forms"), { v: 1, fields: { forms: [old] } });
  await temp.kv.set(keys.settings("form"), { v: 1, fields: { nameField: "optional" } });
  const settings = await open(temp.kv);
  const nameField = () => settingsOfForm(settings.current(), { name: "footer" }, ["en"]).nameField;
  const save = (nameField: string | null) =>
    settings.save("forms", { forms: [{ ...old, nameField }] }, { replace: true });

  assert.equal(nameField(), "optional");
  await save("required");
  assert.equal(nameField(), "required");
  await save(null);
  assert.equal(nameField(), "optional");
  assert.deepEqual((await temp.kv.get<{ fields: unknown }>(keys.settings("forms"))).value?.fields, {
    forms: [old],
  });
});

Deno.test("what a newer version has saved is ignored, and stays when this version saves; a typing error is refused", async () => {
  await using temp = await tempKv();
  const fields = { defaultList: "a", ofANewerVersion: { deep: 1 } };
  await temp.kv.set(keys.settings("general"), { v: 1, fields });
  const newer = { name: "footer", layout: "inline", list: "", tags: [], ofANewerVersion: 2 };
  await temp.kv.set(keys.settings("forms"), { v: 1, fields: { forms: [newer] } });
  const settings = await open(temp.kv);
  assert.deepEqual(settings.current().forms.forms.map(({ name }) => name), ["footer"]);
  for (const replace of [false, true]) {
    await settings.save("general", { defaultList: `b ${replace}` }, { replace });
    const { value } = await temp.kv.get<{ fields: Layer }>(keys.settings("general"));
    assert.deepEqual(value?.fields, { ...fields, defaultList: `b ${replace}` });
  }
  await settings.save("form", { nameField: "required" });
  await assert.rejects(settings.save("general", { defaultLists: "c" }), /defaultLists/);
  await assert.rejects(
    open(temp.kv, { fixed: [{ general: { defaultLists: "c" } }] }),
    /defaultLists/,
  );
});

Deno.test("no form can ask for consent without a text, also if the default text is removed at the same time", async () => {
  await using temp = await tempKv();
  const [one, two] = [await open(temp.kv), await open(temp.kv)];
  const asking = { forms: [{ name: "footer", consent: "required" }] };
  const refused = async (save: Promise<unknown>, message: RegExp) => await assert.rejects(save, message);
  await refused(one.save("forms", asking), /must not be empty while the consent checkbox is shown/);
  await refused(one.save("popup", { consent: "optional" }), /the popup asks for consent with this text/);

  await one.save("form", { consentText: "Yes." });
  const saves = await Promise.allSettled([
    one.save("form", { consentText: "" }),
    two.save("forms", asking),
  ]);
  assert.deepEqual(saves.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
  await open(temp.kv);
});

Deno.test("an edit keeps what a newer version has saved inside of what it edits, also if forms move, and removes what it names", async () => {
  await using temp = await tempKv();
  const footer = { name: "footer", ofANewerVersion: 1, design: { newColor: "red" } };
  const sidebar = { name: "sidebar", heading: "Hello", ofANewerVersion: 2 };
  await temp.kv.set(keys.settings("forms"), { v: 1, fields: { forms: [footer, sidebar] } });
  await temp.kv.set(keys.settings("general"), {
    v: 1,
    fields: { modules: { carts: true, newModule: true } },
  });
  const settings = await open(temp.kv);
  const saved = async (tab: Tab) => (await temp.kv.get<{ fields: Layer }>(keys.settings(tab))).value!.fields;
  for (const replace of [false, true]) {
    const edited = [{ name: "sidebar", heading: `Hi ${replace}` }, { name: "new" }, {
      name: "footer",
      design: {},
    }];
    await settings.save("forms", { forms: edited }, { replace });
    assert.deepEqual((await saved("forms"))["forms"], [
      { ...edited[0], ofANewerVersion: 2 },
      { name: "new" },
      footer,
    ]);
    await settings.save("general", { modules: { carts: replace } }, { replace });
    assert.deepEqual((await saved("general"))["modules"], { carts: replace, newModule: true });
  }
  await settings.save("forms", { forms: [{ name: "sidebar" }] }, { replace: true });
  assert.deepEqual((await saved("forms"))["forms"], [{ name: "sidebar", ofANewerVersion: 2 }]);
});

Deno.test("settings with values of a newer version are refused, or opened without them and corrected one by one", async () => {
  await using temp = await tempKv();
  const fields = { nameField: "sometimes", consent: "inherited", consentText: "Yes." };
  await temp.kv.set(keys.settings("form"), { v: 1, fields });
  const forms = [{ name: "footer", layout: "ring", list: "a" }, { name: "sidebar", nameField: "sometimes" }];
  await temp.kv.set(keys.settings("forms"), { v: 1, fields: { forms } });
  const saved = async (tab: Tab) => (await temp.kv.get<{ fields: Layer }>(keys.settings(tab))).value!.fields;
  await assert.rejects(open(temp.kv), /nameField[^]*consent/);

  const problems: string[] = [];
  const settings = await openSettings({
    ...{ kv: temp.kv, keyring: createKeyring([SALT]), random: systemRandom, fixed: [{}, {}], fallback: {} },
    onInvalid: (error) => problems.push(...describeProblems(error)),
  });
  assert.match(problems.join("\n"), /forms\.0\.layout must be/);
  assert.equal(problems.length, 4);
  const { form, forms: { forms: read } } = settings.current();
  assert.deepEqual([form.nameField, form.consent, form.consentText], ["hidden", "off", "Yes."]);
  assert.deepEqual(read.map(({ name, list }) => [name, list]), [["footer", "a"], ["sidebar", ""]]);

  await settings.save("form", { nameField: null }, { replace: true });
  assert.deepEqual(await saved("form"), { consent: "inherited", consentText: "Yes." });
  await settings.save("form", { consent: "optional" });
  await settings.save(
    "forms",
    { forms: [{ name: "footer", list: "a", layout: null }, { name: "sidebar" }] },
    {
      replace: true,
    },
  );
  assert.deepEqual((await saved("forms"))["forms"], [{ name: "footer", list: "a" }, forms[1]]);
  await settings.save("forms", { forms: [{ name: "sidebar", nameField: "optional" }] }, { replace: true });
  assert.equal((await open(temp.kv)).current().form.consent, "optional");
});

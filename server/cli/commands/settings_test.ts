import assert from "node:assert/strict";
import { storeImage } from "../../forms/images/rows.ts";
import { openDenoKv } from "../../platform/kv/engines/deno_kv.ts";
import { keys } from "../../platform/kv/keys.ts";
import { cfbe, runningService, withFolder } from "../testing/cli.ts";

Deno.test("a setting is read and changed by its path, and an invalid value is named and not saved", async () => {
  await using program = await runningService();
  const env = program.shell;
  const { settings } = program.services;
  const set = (path: string, value: string, input = "") =>
    cfbe({ env, input }, "settings", "set", path, value);
  assert.equal((await set("popup.triggers.delaySeconds", "5")).code, 0);
  assert.equal((await set("general.origins", '["https://shop.example"]')).code, 0);
  assert.equal((await set("coupon.prefix", "123")).code, 0);
  assert.deepEqual(
    [
      settings.current().popup.triggers.delaySeconds,
      settings.current().general.origins,
      settings.current().coupon.prefix,
    ],
    [5, ["https://shop.example"], "123"],
  );
  assert.equal((await cfbe({ env }, "settings", "get", "popup.triggers.delaySeconds")).out, "5");
  assert.equal(JSON.parse((await cfbe({ env }, "settings", "get", "--json")).out).coupon.prefix, "123");

  const wrong = await set("popup.hideDays", "0");
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /hideDays: Must be at least 1/);
  assert.match((await set("popup.hideDay", "3")).err, /hideDay/);
  const nowhere = await set("pop.up", "1");
  assert.deepEqual([nowhere.code, /Unknown settings group pop\. Groups: general/.test(nowhere.err)], [
    3,
    true,
  ]);
  assert.match(
    (await set("privacy.ipSource", "default")).err,
    /set by|fixed/i,
    "the config file of the test sets it",
  );
  assert.equal(settings.current().popup.hideDays, 30);
  assert.equal((await cfbe({ env }, "settings", "get", "popup.nothing")).code, 3);
});

Deno.test("a list is set from entries separated by commas or from JSON, and a wrong type is named", async () => {
  await using program = await runningService();
  const env = program.shell;
  const { settings } = program.services;
  const set = (path: string, value: string) => cfbe({ env }, "settings", "set", path, value);
  for (
    const [value, origins] of [
      ["https://shop.example", ["https://shop.example"]],
      ["https://a.example, https://b.example,", ["https://a.example", "https://b.example"]],
      ['["https://c.example"]', ["https://c.example"]],
      ["", []],
    ] as const
  ) {
    const { code, err } = await set("general.origins", value);
    assert.deepEqual([code, settings.current().general.origins], [0, origins], err);
  }
  assert.match((await set("general.origins", "shop.example")).err, /origins\.0: /);
  const { code, err } = await set("general.modules", "carts");
  assert.deepEqual([code, /modules: Must be an object/.test(err)], [1, true], err);
});

Deno.test("secrets can be set but are never shown or exported, and an export lists what it omits", async () => {
  await using program = await runningService();
  const env = program.shell;
  const input = "the-new-api-key";
  for (const from of ["--stdin", "-"]) {
    await program.services.settings.save("general", { apiKey: "" });
    assert.equal((await cfbe({ env, input }, "settings", "set", "general.apiKey", from)).code, 0);
    assert.equal(program.services.settings.current().general.apiKey, input);
  }
  // An argument would stay in the shell history and appear in the process list.
  const typed = await cfbe({ env }, "settings", "set", "general.apiKey", "a-typed-api-key");
  assert.deepEqual([typed.code, /general\.apiKey is a secret.*Use --stdin/.test(typed.err)], [2, true]);
  assert.equal(program.services.settings.current().general.apiKey, input);
  for (const args of [["popup.hideDays"], ["popup.hideDays", "3", "--stdin"]]) {
    assert.equal((await cfbe({ env }, "settings", "set", ...args)).code, 2);
  }
  assert.equal((await cfbe({ env }, "settings", "get", "general.apiKey")).out, "(set)");
  const printed = [
    await cfbe({ env }, "settings", "get"),
    await cfbe({ env }, "settings", "get", "general"),
    await cfbe({ env }, "settings", "export"),
  ];
  for (const { out, err } of printed) assert.ok(!(out + err).includes(input));
  assert.match(printed[2]!.err, /Not exported \(secret\): general\.apiKey/);
});

Deno.test("with `--json`, a secret is printed as JSON too", async () => {
  await using program = await runningService({ run: false, env: { CFBE_PROVIDER: "sandbox" } });
  await program.services.settings.save("general", { brevoApiKey: "a-saved-key" });
  const get = (path: string) => cfbe({ env: program.shell }, "settings", "get", path, "--json");
  const outputs = [await get("general.brevoApiKey"), await get("general.kitApiKey")].map(({ out }) => out);
  assert.deepEqual(outputs.map((out) => JSON.parse(out)), [true, false]);
});

Deno.test("a name that every JavaScript object has is no setting", async () => {
  await using program = await runningService({ run: false });
  for (const path of ["constructor", "toString", "general.constructor"]) {
    const { code, out } = await cfbe({ env: program.shell }, "settings", "get", path);
    assert.deepEqual([code, out], [3, ""], path);
  }
});

Deno.test("a text is set as it is typed, also where none is set yet", async () => {
  await using program = await runningService({ run: false });
  const set = (path: string, text: string) => cfbe({ env: program.shell }, "settings", "set", path, text);
  for (
    const [path, text] of [
      ["form.texts.button", "2026"],
      ["form.texts.button", "true"],
      ["form.locales.de.texts.button", '"Los"'],
      ["form.design.columns", "2"],
      ["popup.triggers.scrollPercent", "40"],
    ] as const
  ) {
    const { code, err } = await set(path, text);
    assert.equal(code, 0, `${path}: ${err}`);
  }
  const { form, popup } = program.services.settings.current();
  assert.deepEqual(
    [
      form.texts.button,
      form.locales["de"]?.texts?.button,
      form.design?.columns,
      popup.triggers.scrollPercent,
    ],
    ["true", '"Los"', 2, 40],
  );
  assert.match((await set("form.texts.constructor", "2026")).err, /constructor/);
});

Deno.test("a setting without a default is set, shown and unset like the others", async () => {
  await using program = await runningService({ run: false });
  const settings = (...args: string[]) => cfbe({ env: program.shell }, "settings", ...args);
  const unset = await settings("get", "popup.heading");
  assert.deepEqual([unset.code, unset.out, unset.err], [0, "(not set)", ""]);
  assert.equal((await settings("get", "popup.heading", "--json")).out, "null");
  for (const [path, text] of [["popup.heading", "10% off"], ["form.order", "name, email"]] as const) {
    const { code, err } = await settings("set", path, text);
    assert.equal(code, 0, `${path}: ${err}`);
  }
  const { form, popup } = program.services.settings.current();
  assert.deepEqual([popup.heading, form.order], ["10% off", ["name", "email"]]);
  assert.equal((await settings("get", "popup.heading")).out, "10% off");
  assert.match((await settings("set", "popup.headin", "x")).err, /Did you mean popup\.heading\?/);
  assert.match((await settings("unset", "popup.heading")).out, /popup\.heading is now not set\.$/);
  assert.equal(program.services.settings.current().popup.heading, undefined);
});

Deno.test("an exported file is imported into another installation completely or not at all", () =>
  withFolder(async (elsewhere, folder) => {
    await using program = await runningService();
    await program.services.settings.save("coupon", { prefix: "HELLO" });
    await program.services.settings.save("popup", { hideDays: 3 });
    const { out } = await cfbe({ env: program.shell }, "settings", "export");
    const file = `${folder}/settings.json`;
    await Deno.writeTextFile(file, out);
    const done = await cfbe({ env: elsewhere }, "settings", "import", file);
    assert.equal(done.code, 0, done.err);
    assert.equal((await cfbe({ env: elsewhere }, "settings", "get", "coupon.prefix")).out, "HELLO");
    assert.equal((await cfbe({ env: elsewhere }, "settings", "import", file)).out, "No changes.");

    const tree = JSON.parse(out);
    tree.coupon.prefix = "BYE";
    tree.popup.hideDays = -1;
    tree.odd = { a: 1 };
    const input = JSON.stringify(tree);
    const refused = await cfbe({ env: elsewhere, input }, "settings", "import", "-");
    assert.equal(refused.code, 1);
    assert.match(refused.err, /popup\.hideDays/);
    assert.match(refused.err, /odd/);
    assert.equal((await cfbe({ env: elsewhere }, "settings", "get", "coupon.prefix")).out, "HELLO");
    for (const text of ["no JSON", "[]", '{"coupon":1}']) {
      assert.equal((await cfbe({ env: elsewhere, input: text }, "settings", "import", "-")).code, 1);
    }
  }));

Deno.test("a file without the files of its images is imported without these images, and both commands say so", () =>
  withFolder(async (elsewhere) => {
    await using program = await runningService();
    const image = { bytes: Uint8Array.of(1), width: 4, height: 4 };
    const id = await storeImage(program.services, image);
    const design = { image: { id, alt: "Tea", place: "top" as const } };
    await program.services.settings.save("forms", { forms: [{ name: "footer", design }] });
    await program.services.settings.save("popup", { design });
    const exported = await cfbe({ env: program.shell }, "settings", "export");
    assert.match(
      exported.err,
      /Not exported: the files of images\. `\S.* forms export <name>` exports a form with/,
    );
    const imported = await cfbe({ env: elsewhere, input: exported.out }, "settings", "import", "-");
    assert.equal(imported.code, 0, imported.err);
    assert.match(imported.out, /left out of footer: upload them again/);
    assert.match(imported.out, /Its image is not stored here: upload it again/);
    for (const path of ["forms.forms", "popup.design"]) {
      assert.doesNotMatch((await cfbe({ env: elsewhere }, "settings", "get", path)).out, /"image"/);
    }
    const here = await cfbe({ env: program.shell, input: exported.out }, "settings", "import", "-");
    assert.equal(here.out, "No changes.");
  }));

Deno.test("the popup's experiment, which has actions of its own, is neither imported nor set, and both commands say so", () =>
  withFolder(async (elsewhere) => {
    await using program = await runningService();
    const variants = [{ id: "a", name: "A" }, { id: "b", name: "B", overrides: { heading: "Hi" } }];
    const experiment = { id: "x1", state: "running" as const, variants };
    await program.services.settings.save("popup", { hideDays: 3, experiment });
    const { out } = await cfbe({ env: program.shell }, "settings", "export");
    const imported = () => cfbe({ env: elsewhere, input: out }, "settings", "import", "-");
    assert.match((await imported()).err, /popup\.experiment: skipped, because/);
    const again = await imported();
    assert.deepEqual([again.code, again.out], [0, "No changes."]);
    assert.equal((await cfbe({ env: elsewhere }, "settings", "get", "popup.hideDays")).out, "3");
    for (const args of [["set", "popup.experiment.state", "stopped"], ["unset", "popup.experiment"]]) {
      const { code, err } = await cfbe({ env: program.shell }, "settings", ...args);
      assert.deepEqual([code, err], [2, "Change the popup's experiment on its page in the admin."]);
    }
  }));

Deno.test("an empty value does not pass for a saved secret, and `unset` removes it", async () => {
  // A wrong key must not keep anyone from repairing the installation with the sandbox.
  await using program = await runningService({ env: { CFBE_PROVIDER: "sandbox" } });
  const env = program.shell;
  const { settings } = program.services;
  await settings.save("general", { brevoApiKey: "a-saved-key" });
  const empty = await cfbe({ env, input: "" }, "settings", "set", "general.brevoApiKey", "--stdin");
  assert.deepEqual([empty.code, empty.out], [1, ""]);
  assert.match(empty.err, /^Nothing was saved: .*use `.*cfbe settings unset general\.brevoApiKey`\.$/);
  assert.equal(settings.current().general.brevoApiKey, "a-saved-key");
  const unset = await cfbe({ env }, "settings", "unset", "general.brevoApiKey");
  assert.deepEqual([unset.code, unset.out.split("\n").at(-1)], [0, "general.brevoApiKey is now not set."]);
  assert.equal(settings.current().general.brevoApiKey, "");
  assert.equal((await cfbe({ env }, "settings", "get", "general.brevoApiKey")).out, "(not set)");
});

Deno.test("`unset` brings back the default of one setting, and refuses what is not saved in the database", async () => {
  await using program = await runningService();
  const env = program.shell;
  const { settings } = program.services;
  const unset = (path: string) => cfbe({ env }, "settings", "unset", path);
  await settings.save("privacy", { ipRetentionDays: 7, organization: "Shop" });
  await settings.save("popup", { triggers: { delaySeconds: 5, scrollPercent: 40 } });
  assert.match((await unset("privacy.ipRetentionDays")).out, /privacy\.ipRetentionDays is now 90\.$/);
  assert.equal((await unset("popup.triggers.delaySeconds")).code, 0);
  const { privacy, popup } = settings.current();
  assert.deepEqual([privacy.ipRetentionDays, privacy.organization], [90, "Shop"]);
  assert.equal(popup.triggers.scrollPercent, 40);
  assert.notEqual(popup.triggers.delaySeconds, 5);
  const fixed = await unset("privacy.ipSource");
  assert.deepEqual([fixed.code, /Set by the config file/.test(fixed.err)], [1, true], fixed.err);
  for (const path of ["privacy", "webhooks.secret"]) assert.equal((await unset(path)).code, 2, path);
});

Deno.test("an unknown setting is answered with the one that may be meant", async () => {
  await using program = await runningService();
  const env = program.shell;
  for (
    const args of [["set", "privacy.trustedHop", "1"], ["unset", "privacy.trustedHop"], [
      "get",
      "privacy.trustedHop",
    ], ["list", "privacy.trustedHop"]]
  ) {
    const { code, err } = await cfbe({ env }, "settings", ...args);
    assert.deepEqual([code, err], [
      3,
      "Unknown setting privacy.trustedHop. Did you mean privacy.trustedHops?",
    ]);
  }
  const secret = await cfbe({ env, input: "k" }, "settings", "set", "general.apiKeys", "--stdin");
  assert.equal(secret.err, "Unknown setting general.apiKeys. Did you mean general.apiKey?");
});

Deno.test("settings that only a newer version can read stop other commands with advice, and are corrected by `settings unset`", () =>
  withFolder(async (env) => {
    const { code } = await cfbe({ env }, "settings", "set", "form.nameField", "optional");
    assert.equal(code, 0);
    const saved = { nameField: "sometimes", consent: "inherited" };
    {
      using kv = await openDenoKv(env["CFBE_KV"]);
      await kv.set(keys.settings("form"), new TextEncoder().encode(JSON.stringify({ v: 1, fields: saved })));
    }
    const refused = await cfbe({ env }, "signups");
    assert.equal(refused.code, 1);
    assert.match(refused.err, /form\.nameField must be [^]*form\.consent must be [^]*settings unset/);

    const unset = await cfbe({ env }, "settings", "unset", "form.nameField");
    assert.deepEqual([unset.code, unset.out.split("\n").at(-1)], [0, 'form.nameField is now "hidden".']);
    assert.match(unset.err, /Ignored: settings\.form\.consent must be/);
    const set = await cfbe({ env }, "settings", "set", "form.consent", "off");
    assert.deepEqual([set.code, set.err.includes("nameField")], [0, false]);
    assert.equal((await cfbe({ env }, "signups")).code, 0);
  }));

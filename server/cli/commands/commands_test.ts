import assert from "node:assert/strict";
import { cfbe, runningService, withFolder } from "../testing/cli.ts";

Deno.test("signups are listed by status and list, a page at a time, and every one on exactly one page", async () => {
  await using program = await runningService({ file: { filters: { cfbe_signup_site_limit: () => 0 } } });
  const env = program.shell;
  for (let n = 0; n < 7; n++) {
    await (await program.subscribe({ email: `p${n}@example.com` }, `192.0.2.${n}`)).body?.cancel();
  }
  await (await program.subscribe({ email: "bounced@example.com" }, "192.0.2.9")).body?.cancel();
  await program.runner.idle();
  const seen: string[] = [];
  for (let after: string[] = [], pages = 0; pages === 0 || after.length > 0; pages++) {
    const { out } = await cfbe({ env }, "signups", "--limit", "3", "--json", ...after);
    const page = JSON.parse(out);
    seen.push(...page.records.map(({ email }: { email: string }) => email));
    after = page.next ? ["--after", page.next] : [];
    assert.ok(pages < 5);
  }
  assert.deepEqual(seen.toSorted(), [
    "bounced@example.com",
    ...Array.from({ length: 7 }, (_, n) => `p${n}@example.com`),
  ]);
  const failed = await cfbe({ env }, "signups", "--status", "failed");
  assert.match(failed.out, /^address +list +status[^\n]*reason\nbounced@example\.com [^\n]*$/);
  assert.equal((await cfbe({ env }, "signups", "--list", "none")).out, "There is no such signup.");
  const paged = await cfbe({ env }, "signups", "--limit", "1");
  assert.match(paged.err, /There may be more: add --after /);
  const found = async (...args: string[]) =>
    JSON.parse((await cfbe({ env }, "signups", "--json", ...args)).out).records.length;
  assert.deepEqual([await found("--search", "p1"), await found("--search", "@example.com")], [1, 8]);
  assert.deepEqual([await found("--from", "2999-01-01"), await found("--until", "2999-01-01")], [0, 8]);
  assert.equal((await cfbe({ env }, "signups", "--after", "nowhere")).code, 2);
});

Deno.test("jobs are listed by state, sent again and cancelled; what is not there is exit code 3", async () => {
  await using program = await runningService({ run: false });
  const env = program.shell;
  for (const name of ["ann", "ben"]) {
    await (await program.subscribe({ email: `${name}@example.com` })).body?.cancel();
  }
  const [job] = await program.queue.claim(1);
  await program.queue.finish(job!, { kind: "bury", reason: "of old age" });
  assert.match((await cfbe({ env }, "jobs")).out, /^id +name +due +attempts\ndeliver:/);
  const dead = await cfbe({ env }, "jobs", "--state", "dead");
  assert.match(dead.out, /cfbe_deliver_signup.*of old age$/);
  const { id } = job!.row;
  assert.equal((await cfbe({ env }, "jobs", "retry", id)).out, "The job is sent again.");
  assert.equal((await cfbe({ env }, "jobs", "retry", id)).code, 3);
  assert.equal((await cfbe({ env }, "jobs", "retry")).code, 2);
  assert.equal((await cfbe({ env }, "jobs", "retry", "--all")).out, "0 jobs sent again.");
  assert.equal((await cfbe({ env }, "jobs", "cancel", id)).code, 2);
  assert.equal((await cfbe({ env }, "jobs", "cancel", id, "--yes")).code, 0);
  assert.equal(JSON.parse((await cfbe({ env }, "jobs", "--json")).out).rows.length, 1);
});

Deno.test("a setting is read and changed by its path; what is wrong is named, and nothing is saved then", async () => {
  await using program = await runningService();
  const env = program.shell;
  const { settings } = program.services;
  const set = (path: string, value: string, input = "") =>
    cfbe({ env, input }, "settings", "set", path, value);
  assert.equal((await set("popup.triggers.delaySeconds", "5")).code, 0);
  assert.equal((await set("general.origins", '["https://shop.example"]')).code, 0);
  assert.equal((await set("coupon.prefix", "123")).code, 0);
  assert.deepEqual(
    [settings.current().popup.triggers, settings.current().general.origins, settings.current().coupon.prefix],
    [{ delaySeconds: 5, scrollPercent: 0, exitIntent: false }, ["https://shop.example"], "123"],
  );
  assert.equal((await cfbe({ env }, "settings", "get", "popup.triggers.delaySeconds")).out, "5");
  assert.equal(JSON.parse((await cfbe({ env }, "settings", "get", "--json")).out).coupon.prefix, "123");

  const wrong = await set("popup.hideDays", "0");
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /hideDays: Must be at least 1/);
  assert.match((await set("popup.hideDay", "3")).err, /hideDay/);
  const nowhere = await set("pop.up", "1");
  assert.deepEqual([nowhere.code, /There is no tab pop\. There are: general/.test(nowhere.err)], [3, true]);
  assert.match(
    (await set("privacy.ipSource", "default")).err,
    /set by|fixed/i,
    "the config file of the test fixes it",
  );
  assert.equal(settings.current().popup.hideDays, 30);
  assert.equal((await cfbe({ env }, "settings", "get", "popup.nothing")).code, 3);
});

Deno.test("secrets can be set, and are neither shown nor exported; what an export leaves out, it says", async () => {
  await using program = await runningService();
  const env = program.shell;
  const input = "the-new-api-key";
  assert.equal((await cfbe({ env, input }, "settings", "set", "general.apiKey", "-")).code, 0);
  assert.equal(program.services.settings.current().general.apiKey, input);
  assert.equal((await cfbe({ env }, "settings", "get", "general.apiKey")).out, "(set)");
  const printed = [
    await cfbe({ env }, "settings", "get"),
    await cfbe({ env }, "settings", "get", "general"),
    await cfbe({ env }, "settings", "export"),
  ];
  for (const { out, err } of printed) assert.ok(!(out + err).includes(input));
  assert.match(printed[2]!.err, /Left out, for they are secret: general\.apiKey/);
});

Deno.test("an exported file is imported elsewhere, all of it or nothing of it", () =>
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
    assert.equal((await cfbe({ env: elsewhere }, "settings", "import", file)).out, "Nothing differs.");

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

Deno.test("everything about an address is printed, and erased after a yes, with the provider's if asked", async () => {
  await using program = await runningService();
  const env = program.shell;
  await (await program.subscribe({ email: "ann@example.com" })).body?.cancel();
  await program.runner.idle();
  const exported = await cfbe({ env }, "export", "Ann@example.com");
  assert.equal(exported.code, 0, exported.err);
  assert.match(exported.out, /"email": "ann@example\.com"/);
  assert.equal((await cfbe({ env }, "export", "nobody@example.com")).code, 3);
  assert.match((await cfbe({ env }, "export", "nobody")).err, /email: Must be an e-mail address/);

  assert.equal((await cfbe({ env, says: false }, "erase", "ann@example.com")).code, 1);
  assert.equal((await cfbe({ env }, "status", "ann@example.com")).code, 0);
  const erased = await cfbe({ env }, "erase", "ann@example.com", "--provider", "--yes");
  assert.match(erased.out, /^Erased here\. The provider is asked to erase it too\.\n[^]* {2}stays /);
  assert.equal((await cfbe({ env }, "status", "ann@example.com")).code, 3);
  const again = await cfbe({ env }, "erase", "ann@example.com", "--yes", "--json");
  assert.deepEqual(Object.values(JSON.parse(again.out).erased).filter(Boolean), []);
});

Deno.test("lists are loaded, and one that is chosen and gone makes the exit code 1", async () => {
  await using program = await runningService();
  const env = program.shell;
  const loaded = await cfbe({ env }, "lists", "load");
  assert.deepEqual([loaded.code, /2 lists loaded\.$/.test(loaded.out)], [0, true]);
  await program.services.settings.save("popup", { list: "gone" });
  const missing = await cfbe({ env }, "lists", "load", "--json");
  assert.deepEqual([missing.code, JSON.parse(missing.out).lists.length], [1, 2]);
  assert.match(missing.err, /gone, chosen in popup\.list, is not at the provider/);
});

Deno.test("the webhook is shown and registered; a foreign one is overwritten only with --replace and a yes", async () => {
  await using program = await runningService();
  const env = program.shell;
  const status = await cfbe({ env }, "webhook", "status");
  assert.match(status.out, /^Registered since .*provider-hook\n.*\nNo call has come in\.$/);
  const { provider, settings } = program.services;
  const secretKey = settings.current().general.apiKey;
  await provider.setWebhook({ url: "https://other.example/", secretKey, replace: true });
  assert.equal((await cfbe({ env }, "webhook", "status", "--json")).code, 1);
  const foreign = await cfbe({ env }, "webhook", "register");
  assert.match(foreign.err, /Another address is registered: https:\/\/other\.example\//);
  assert.equal((await cfbe({ env, says: false }, "webhook", "register", "--replace")).code, 1);
  const replaced = await cfbe({ env, says: true }, "webhook", "register", "--replace");
  assert.match(replaced.out, /instead of https:\/\/other\.example/);
});

Deno.test("a new secret is all that standard output gets, so that a script can take it", async () => {
  await using program = await runningService();
  const { out, err } = await cfbe({ env: program.shell }, "webhook", "secret", "--yes");
  assert.equal(out, program.services.settings.current().webhooks.secret);
  assert.match(err, /There is a new secret/);
});

Deno.test("backed up from the running service, restored where none runs", () =>
  withFolder(async (env, folder) => {
    const file = `${folder}/backup.gz`;
    {
      await using program = await runningService();
      await (await program.subscribe({ email: "ann@example.com" })).body?.cancel();
      await program.runner.idle();
      const taken = await cfbe({ env: program.shell }, "backup", file);
      assert.match(taken.out, /^\d+ rows in .*The salt is not in it/);
      assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
      const nowhere = await cfbe({ env: program.shell }, "backup", `${folder}/none/backup.gz`);
      assert.deepEqual([nowhere.code, /can't be written/.test(nowhere.err)], [1, true]);
      const running = await cfbe({ env: { ...env, ...program.shell } }, "restore", file);
      assert.match(running.err, /A service runs at .*Stop it first/);
    }
    const restored = await cfbe({ env }, "restore", file);
    assert.equal(restored.code, 0, restored.err);
    assert.match((await cfbe({ env }, "status", "ann@example.com")).out, /pending since/);

    assert.match((await cfbe({ env }, "restore", file)).err, /not empty.*--replace/);
    assert.equal((await cfbe({ env }, "restore", file, "--replace")).code, 2, "asks first");
    assert.equal((await cfbe({ env }, "restore", file, "--replace", "--yes")).code, 0);
    const salted = await cfbe(
      { env: { ...env, CFBE_SALT: "another salt, long enough to be one" } },
      "restore",
      file,
    );
    assert.match(salted.err, /another salt.*--other-salt/);
    await Deno.writeTextFile(file, "not gzip");
    assert.match(
      (await cfbe({ env }, "restore", file, "--replace", "--yes")).err,
      /can't be restored: it is no gzip/,
    );
    assert.match((await cfbe({ env }, "status", "ann@example.com")).out, /pending since/, "as it was");
    assert.match((await cfbe({ env }, "restore", `${folder}/none`)).err, /There is no file/);
  }));

Deno.test("the doctor finds that no service runs, that a database is none, and wrong configuration, with exit code 1", () =>
  withFolder(async (env) => {
    const ids = async (shell: Record<string, string>) => {
      const { code, out } = await cfbe({ env: shell }, "doctor", "--json");
      assert.equal(code, 1);
      return JSON.parse(out).findings.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(await ids(env), ["service.not_running", "address.unreachable"]);
    assert.deepEqual(await ids({ PORT: "nine" }), ["config"]);
    await Deno.writeTextFile(
      env["CFBE_KV"]!,
      "this is no database, but it is long enough to be looked at as one",
    );
    assert.deepEqual(await ids(env), ["database.unusable"]);
    const told = await cfbe({ env }, "doctor");
    assert.match(told.out, /^WRONG: The database can't be opened[^]*Why it matters[^]*What to do/);
  }));

Deno.test("a service that is well is told so, with exit code 0", async () => {
  await using program = await runningService();
  const { code, out } = await cfbe({ env: program.shell }, "doctor");
  assert.equal(code, 0, out);
  assert.match(out, /well: the API key opens the project/);
});

import assert from "node:assert/strict";
import { alertsKey } from "../../operations/alerts/rows.ts";
import { cfbe, runningService } from "../testing/cli.ts";

Deno.test("signups are listed by status and list, and paging shows each exactly once", async () => {
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
  assert.equal((await cfbe({ env }, "signups", "--list", "none")).out, "No matching signups.");
  const paged = await cfbe({ env }, "signups", "--limit", "1");
  assert.match(paged.err, /There may be more. Add --after /);
  const found = async (...args: string[]) =>
    JSON.parse((await cfbe({ env }, "signups", "--json", ...args)).out).records.length;
  assert.deepEqual([await found("--search", "p1"), await found("--search", "@example.com")], [1, 8]);
  assert.deepEqual([await found("--from", "2999-01-01"), await found("--until", "2999-01-01")], [0, 8]);
  assert.equal((await cfbe({ env }, "signups", "--after", "nowhere")).code, 2);
});

Deno.test("jobs are listed by state, retried and canceled, and an unknown job exits with 3", async () => {
  await using program = await runningService({ run: false });
  const env = program.shell;
  for (const name of ["ann", "ben"]) {
    await (await program.subscribe({ email: `${name}@example.com` })).body?.cancel();
  }
  const [job] = await program.queue.claim(1);
  await program.queue.finish(job!, { kind: "dead", reason: "of old age" });
  assert.match(
    (await cfbe({ env }, "jobs")).out,
    /^id +group +name +due +attempts\ndeliver:\S+ +cfbe +cfbe_deliver_signup /,
  );
  const dead = await cfbe({ env }, "jobs", "--state", "dead");
  assert.match(dead.out, /cfbe_deliver_signup.*of old age$/);
  const { id } = job!.row;
  assert.equal((await cfbe({ env }, "jobs", "retry", id)).out, "Job queued for another try.");
  assert.equal((await cfbe({ env }, "jobs", "retry", id)).code, 3);
  assert.equal((await cfbe({ env }, "jobs", "retry")).code, 2);
  assert.equal((await cfbe({ env }, "jobs", "retry", "--all")).out, "0 jobs queued for another try.");
  assert.equal((await cfbe({ env }, "jobs", "cancel", id)).code, 2);
  assert.equal((await cfbe({ env }, "jobs", "cancel", id, "--yes")).code, 0);
  const { rows } = JSON.parse((await cfbe({ env }, "jobs", "--json")).out);
  assert.deepEqual(rows.map(({ group }: { group: string }) => group), ["cfbe"]);
});

Deno.test("all data about an address is exported, and erased after confirmation, also at the provider on request", async () => {
  await using program = await runningService();
  const env = program.shell;
  await (await program.subscribe({ email: "ann@example.com" })).body?.cancel();
  await program.runner.idle();
  const exported = await cfbe({ env }, "export", "Ann@example.com");
  assert.equal(exported.code, 0, exported.err);
  assert.match(exported.out, /"email": "ann@example\.com"/);
  assert.equal((await cfbe({ env }, "export", "nobody@example.com")).code, 3);
  assert.match((await cfbe({ env }, "export", "nobody")).err, /must be an email address/);

  assert.equal((await cfbe({ env, answer: false }, "erase", "ann@example.com")).code, 1);
  assert.equal((await cfbe({ env }, "status", "ann@example.com")).code, 0);
  const erased = await cfbe({ env }, "erase", "ann@example.com", "--provider", "--yes");
  assert.match(
    erased.out,
    /^All data about the address has been erased\. It is also being erased at the sandbox\. The result will appear in the audit log\.\n[^]* {2}kept /,
  );
  assert.equal((await cfbe({ env }, "status", "ann@example.com")).code, 3);
  const again = await cfbe({ env }, "erase", "ann@example.com", "--yes", "--json");
  assert.deepEqual(Object.values(JSON.parse(again.out).erased).filter(Boolean), []);
});

Deno.test("lists are loaded, and a selected list that is gone exits with 1", async () => {
  await using program = await runningService();
  const env = program.shell;
  const loaded = await cfbe({ env }, "lists", "load");
  assert.deepEqual([loaded.code, /2 lists loaded\.$/.test(loaded.out)], [0, true]);
  await program.services.settings.save("popup", { list: "gone" });
  const missing = await cfbe({ env }, "lists", "load", "--json");
  assert.deepEqual([missing.code, JSON.parse(missing.out).lists.length], [1, 2]);
  assert.match(missing.err, /gone, selected in popup\.list, does not exist at the provider/);
});

Deno.test("the webhook is shown and registered; a foreign one is overwritten only with --replace and confirmation", async () => {
  await using program = await runningService();
  const env = program.shell;
  const status = await cfbe({ env }, "webhook", "status");
  assert.match(status.out, /^Registered since .*provider-hook\n.*\nNo webhook calls received yet\.$/);
  const { provider, settings } = program.services;
  const secretKey = settings.apiKey();
  await provider.setWebhook({ url: "https://other.example/hook?key=hidden", secretKey, replace: true });
  const shown = await Promise.all(
    [[], ["--json"]].map((more) => cfbe({ env }, "webhook", "status", ...more)),
  );
  for (const { code, out } of shown) {
    assert.equal(code, 1);
    assert.match(out, /other\.example\/hook\?…/);
    assert.doesNotMatch(out, /hidden/);
  }
  const foreign = await cfbe({ env }, "webhook", "register");
  assert.match(foreign.err, /Another URL is registered: https:\/\/other\.example\/hook\?…/);
  assert.equal((await cfbe({ env, answer: false }, "webhook", "register", "--replace")).code, 1);
  const replaced = await cfbe({ env, answer: true }, "webhook", "register", "--replace");
  assert.match(replaced.out, /replacing https:\/\/other\.example\/hook\?…/);
  assert.doesNotMatch(foreign.err + replaced.out + replaced.err, /hidden/);
});

Deno.test("only the new secret is written to standard output, so that scripts can read it", async () => {
  await using program = await runningService();
  const { out, err } = await cfbe({ env: program.shell }, "webhook", "secret", "--yes");
  assert.equal(out, program.services.settings.current().webhooks.secret);
  assert.match(err, /^Secret created\./);
});

Deno.test("open alerts are listed with what to do about each", async () => {
  await using program = await runningService({ run: false });
  const env = program.shell;
  assert.equal((await cfbe({ env }, "alerts")).out, "No open alerts.");
  const { kv } = program.services;
  const problem = { id: "jobs.dead", tone: "bad" as const, what: "1 job has failed.", todo: "Retry it." };
  const opened = { at: 1, notifiedAt: 1, notifications: 1, tone: "bad" as const };
  await kv.set(alertsKey(), {
    v: 1,
    alerts: { jobs: { problem, since: 0, seenAt: 5 * 60 * 1000, opened } },
    summaryDue: 0,
  });
  const { out } = await cfbe({ env }, "alerts");
  assert.match(
    out,
    /\njobs +1970-01-01 00:00:00 UTC +1970-01-01 00:05:00 UTC +1 job has failed\. +Retry it\.$/,
  );
  const { open, past } = JSON.parse((await cfbe({ env }, "alerts", "--json")).out);
  assert.deepEqual([open.length, past], [1, []]);
});

Deno.test("the limits of an IP are forgotten, and the command needs to know whose", async () => {
  await using program = await runningService({ run: false });
  const env = program.shell;
  const signUp = async () => {
    const response = await program.subscribe({ email: `${crypto.randomUUID()}@example.com` }, "192.0.2.7");
    await response.body?.cancel();
    return response.status;
  };
  for (let i = 0; i < 5; i++) assert.equal(await signUp(), 200);
  assert.equal(await signUp(), 429);
  assert.equal((await cfbe({ env }, "forget-limits")).code, 2);
  assert.match((await cfbe({ env }, "forget-limits", "--ip", "here")).err, /ip: Must be an IP address\./);
  const { out } = await cfbe({ env }, "forget-limits", "--ip", "192.0.2.7");
  assert.equal(out, "Forgotten: 5 signups from the IP address.");
  assert.equal(await signUp(), 200);
});

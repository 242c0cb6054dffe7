import assert from "node:assert/strict";
import { Hono } from "hono";
import { NAMESPACE } from "../../../shared/contract.ts";
import { alertsOf } from "../alerts/alerts.ts";
import { readProblems } from "../checks/registry.ts";
import { systemClock } from "../../platform/deps.ts";
import { addJob, newJobRow } from "../../platform/jobs/add.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { DELIVER_JOB } from "../../signup/delivery/job.ts";
import { cas } from "../../platform/kv/cas.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import { serveSandbox } from "../../sandbox/testing/serve.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { offline } from "../../../dev/testing/offline.ts";
import { diagnose } from "./doctor.ts";
import { healthy, ids } from "./testing/healthy.ts";

Deno.test("a healthy service has no findings, and every check is listed as passed or skipped", async () => {
  await using world = await healthy();
  const diagnosis = await diagnose(world.services, { fetch });
  assert.deepEqual([diagnosis.ok, diagnosis.findings], [true, []]);
  assert.ok(diagnosis.passed.includes("the webhook is registered"));
  assert.deepEqual(diagnosis.skipped, [
    "the disk has free space",
    "the database, salt and token files are private",
    "the shop is connected",
    "visitor IPs are distinguishable",
  ]);
  assert.deepEqual(Object.keys(diagnosis.reasons), diagnosis.skipped);
  for (const reason of Object.values(diagnosis.reasons)) assert.match(reason, /[.:].*[^.]\.$|https?:/);
  assert.match(diagnosis.reasons["the shop is connected"]!, /coupons.* are off\. Turn them on in General/);
});

Deno.test("a wrong key is reported, with the other causes of a rejection", async () => {
  await using world = await healthy({}, { CFBE_PROVIDER_API_KEY: "not-the-key" });
  const { findings, ok } = await diagnose(world.services, { fetch });
  const found = findings.find(({ id }) => id === "provider.wrong_key")!;
  assert.equal(ok, false);
  assert.match(found.todo, /does not belong to this project ID.*allowlist/);
});

Deno.test("a key of another project is reported", async () => {
  await using world = await healthy({}, { CFBE_PROVIDER_PROJECT: "0123456789abcdef01234567" });
  const { findings } = await diagnose(world.services, { fetch });
  assert.match(findings.map(({ todo }) => todo).join(), /API key does not belong to this project ID/);
});

Deno.test("a missing default list, a deleted list and single opt-in are reported", async () => {
  await using world = await healthy();
  const { settings } = world.services;
  const single = world.served.provisioned.lists.find(({ doubleOptIn }) => !doubleOptIn)!;
  await settings.save("general", { defaultList: "" });
  await settings.save("popup", { list: "gone" });
  await settings.save("checkout", { list: single.id });
  assert.deepEqual(await ids(world.services), ["lists.no_default", "lists.missing", "lists.single_opt_in"]);
});

Deno.test("a webhook that is missing, foreign, has another key or sends too many events is reported", async () => {
  await using world = await healthy({}, { CFBE_BASE_URL: "https://news.example" });
  const hook = async (json: Record<string, unknown> | null) => {
    await (await world.served.api("/webhook", json ? { method: "PATCH", json } : { method: "DELETE" })).body
      ?.cancel();
    const { findings } = await diagnose(world.services, offline);
    return findings.map(({ id }) => id).filter((id) => id.startsWith("webhook."));
  };
  const { apiKey: secretKey } = world.served.provisioned;
  const url = `https://news.example${NAMESPACE}/provider-hook`;
  assert.deepEqual(await hook(null), ["webhook.not_registered"]);
  assert.deepEqual(await hook({ url: "https://other.example/", secretKey }), ["webhook.foreign"]);
  assert.deepEqual(await hook({ url, secretKey, subscription: true, open: true }), [
    "webhook.missing_events",
    "webhook.surplus_events",
  ]);
  assert.deepEqual(await hook({ url, secretKey, subscription: true, bounce: true, complaint: true }), []);
});

Deno.test("a clock that is minutes off is reported, and one that is seconds off is not", async () => {
  const ahead = (ms: number) => ({ clock: { ...systemClock, now: () => Date.now() + ms } });
  await using far = await healthy(ahead(5 * 60_000));
  const { findings } = await diagnose(far.services, { fetch });
  assert.match(findings.find(({ id }) => id === "clock.skew")!.what, /(299|300) s behind/);
  await using near = await healthy(ahead(20_000));
  assert.deepEqual(await ids(near.services), []);
});

Deno.test("a database that is not writable is reported", async () => {
  await using world = await healthy();
  const readOnly = new Proxy(world.services.kv, {
    get(target, name) {
      if (name === "set") return () => Promise.reject(new TypeError("attempt to write a readonly database"));
      const member = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const { findings } = await diagnose({ ...world.services, kv: readOnly }, { fetch });
  assert.match(findings[0]!.what, /^The database fails: attempt to write a readonly database/);
});

Deno.test("a salt, token or database file that others can read or replace is reported", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-doctor-" });
  try {
    await using program = await startProgram({
      run: false,
      env: { CFBE_KV: `${folder}/cfbe.kv`, CFBE_SALT: "" },
    });
    assert.deepEqual(await ids(program.services), []);
    await Deno.chmod(`${folder}/cfbe.kv.salt`, 0o644);
    const { findings } = await diagnose(program.services, { fetch });
    assert.deepEqual(findings.map(({ id, todo }) => [id, todo]), [
      ["secrets.salt_mode", `Run: chmod 600 ${folder}/cfbe.kv.salt`],
    ]);
    await Deno.chmod(`${folder}/cfbe.kv.salt`, 0o600);
    await Deno.chmod(`${folder}/cfbe.kv-wal`, 0o640);
    await Deno.chmod(folder, 0o777);
    const others = await diagnose(program.services, { fetch });
    assert.deepEqual(others.findings.map(({ id, todo }) => [id, todo]), [
      ["database.mode", `Run: chmod 600 ${folder}/cfbe.kv-wal`],
      ["database.folder_mode", `Run: chmod 700 ${folder}`],
    ]);
    await Deno.chmod(folder, 0o1777);
    assert.deepEqual(await ids(program.services), ["database.mode"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("an unreachable, foreign, cached or plain-http public URL and a public sandbox are reported", async () => {
  await using program = await startProgram({ run: false });
  const at = (baseUrl: string, response: (path: string) => Response | Promise<Response>) =>
    diagnose({ ...program.services, config: { ...program.config, baseUrl } }, {
      fetch: async (input) => await response(new URL(input).pathname),
    }).then(({ findings }) => findings.map(({ id }) => id).filter((id) => /^(address|sandbox)/.test(id)));
  const site = new Hono();
  site.get("/healthz", (c) => c.json({ ok: true, service: "cfbe" }));
  site.get(`${NAMESPACE}/form-token`, (c) => c.json({ token: "1.same" }));
  const respond = (path: string) => site.request(path);
  assert.deepEqual(await at("https://news.example", respond), ["address.cached", "sandbox.public"]);
  assert.deepEqual(await at("http://news.example", () => new Response("hello")), [
    "address.http",
    "address.unreachable",
    "sandbox.public",
  ]);
  assert.deepEqual(await at("http://localhost:1", () => Promise.reject(new TypeError("refused"))), [
    "address.unreachable",
  ]);
});

Deno.test("a provider that was chosen in the admin is checked like one in the environment, and is not the sandbox", async () => {
  await using served = await serveSandbox();
  const { project, apiKey, list } = served.provisioned;
  const { bluefox } = PROVIDERS;
  const url = served.sandbox.apiUrl;
  await using program = await startProgram({
    run: false,
    providers: {
      ...PROVIDERS,
      bluefox: { ...bluefox, create: (deps) => bluefox.create({ ...deps, url }) },
    },
  });
  const chosen = { provider: "bluefox", projectId: project, apiKey, defaultList: list } as const;
  await program.services.settings.save("general", chosen);
  for (const baseUrl of [program.config.baseUrl, "https://news.example"]) {
    const config = { ...program.config, baseUrl };
    const network = baseUrl === program.config.baseUrl ? { fetch } : offline;
    const { passed, findings, reasons } = await diagnose({ ...program.services, config }, network);
    assert.ok(passed.includes("the sandbox is not exposed publicly"), passed.join());
    assert.ok(passed.includes("the API key works"), passed.join());
    assert.deepEqual(
      findings.map(({ id }) => id).filter((id) => !id.startsWith("address.")),
      baseUrl === program.config.baseUrl ? [] : ["webhook.not_registered"],
    );
    // Where the admin refuses to register the webhook, nothing advises it.
    if (baseUrl === program.config.baseUrl) {
      assert.match(reasons["the webhook is registered"]!, /can't reach .* Set CFBE_BASE_URL to a public URL/);
    }
  }
});

Deno.test("a deactivated service and overdue jobs are reported", async () => {
  await using world = await healthy();
  await (await world.program.subscribe({ email: "ann@example.com" })).body?.cancel();
  const later = { ...world.services, clock: { ...systemClock, now: () => Date.now() + 20 * 60_000 } };
  assert.ok((await ids(later)).includes("jobs.overdue"));
  await world.services.activation.deactivate();
  assert.deepEqual(await ids(world.services), ["service.off"]);
});

Deno.test("deliveries that wait long for the provider's rate limit are reported, and do not count as overdue", async () => {
  await using world = await healthy();
  const { clock, kv, random } = world.services;
  const now = clock.now();
  for (const [id, minutes] of [["one", 14], ["two", 40]] as const) {
    await cas(kv, { job: jobKey(id) }, ({ job }) => ({
      value: undefined,
      write(tx) {
        const due = now + 10_000;
        addJob(tx, job, { id, name: DELIVER_JOB, payload: {}, due }, now);
        const row = newJobRow({ id, name: DELIVER_JOB, payload: {}, due }, now, []);
        tx.set(job.key, { ...row, heldSince: now - minutes * 60_000 });
      },
    }), { clock, random });
  }
  await (await world.program.subscribe({ email: "ann@example.com" })).body?.cancel();
  const later = { ...world.services, clock: { ...systemClock, now: () => now + 20 * 60_000 } };
  const { findings } = await diagnose(later, { fetch });
  assert.deepEqual(findings.map(({ id, what }) => [id, what]), [[
    "jobs.held",
    "Deliveries have waited for the provider's rate limit for up to 60 minutes.",
  ]]);
});

Deno.test("jobs that are due more than three days ahead are reported by the doctor and by an alert, with what to do", async () => {
  await using world = await healthy();
  const { clock, kv, random } = world.services;
  await cas(kv, { job: jobKey("late") }, ({ job }) => ({
    value: undefined,
    write(tx) {
      const due = clock.now() + 4 * 24 * 3_600_000;
      addJob(tx, job, { id: "late", name: "cfbe_deliver", payload: {}, due }, clock.now());
    },
  }), { clock, random });
  const { findings } = await diagnose(world.services, { fetch });
  const problem = (await readProblems(world.services, ({ overview }) => overview)).find(({ id }) =>
    id === "jobs.too_late"
  );
  assert.deepEqual(findings.map(({ id }) => id), ["jobs.too_late"]);
  for (const { todo } of [findings[0]!, problem!]) assert.match(todo, /clock.* jobs retry --waiting/);
  const { changes } = alertsOf([problem!], {}, clock.now());
  assert.deepEqual(changes.map(({ kind, state }) => [kind, state]), [["jobs", "opened"]]);
});

Deno.test("on a loopback URL, the sandbox check is skipped", async () => {
  await using program = await startProgram({ run: false });
  const { passed, skipped, findings } = await diagnose(program.services, { fetch });
  assert.deepEqual(findings.map(({ id }) => id), []);
  assert.ok(
    skipped.includes("the sandbox is not exposed publicly") &&
      !passed.some((name) => /sandbox/.test(name)),
    passed.join(),
  );
});

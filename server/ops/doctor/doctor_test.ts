import assert from "node:assert/strict";
import { Hono } from "hono";
import { NAMESPACE } from "../../../shared/contract.ts";
import { systemClock } from "../../deps.ts";
import { type ServeOptions, serveSandbox } from "../../sandbox/testing/serve.ts";
import type { Services } from "../../services.ts";
import { startProgram, type TestProgram } from "../../testing/program.ts";
import { diagnose } from "./doctor.ts";

/** Returns the IDs of the doctor's findings. */
async function ids(services: Services): Promise<string[]> {
  return (await diagnose(services, { fetch })).findings.map(({ id }) => id);
}

/** Starts a program with nothing wrong: its provider is a sandbox on another port, and its webhook is registered there. */
async function healthy(options: ServeOptions = {}, env: Record<string, string> = {}) {
  const served = await serveSandbox(options);
  const { project, apiKey, list } = served.provisioned;
  const program = await startProgram({
    run: false,
    env: {
      CFBE_PROVIDER: "bluefox",
      CFBE_PROVIDER_URL: served.sandbox.apiUrl,
      CFBE_PROVIDER_PROJECT: project,
      CFBE_PROVIDER_API_KEY: apiKey,
      ...env,
    },
  });
  await program.services.settings.save("general", { defaultList: list });
  await program.services.provider.setWebhook({ url: `${program.api}/provider-hook`, secretKey: apiKey });
  return {
    served,
    program,
    services: program.services,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a healthy service has no findings, and every check is listed as passed or skipped", async () => {
  await using world = await healthy();
  const diagnosis = await diagnose(world.services, { fetch });
  assert.deepEqual([diagnosis.ok, diagnosis.findings], [true, []]);
  assert.ok(diagnosis.passed.includes("the webhook is registered"));
  assert.deepEqual(diagnosis.skipped, [
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
  await using world = await healthy();
  const hook = async (json: Record<string, unknown> | null) => {
    await (await world.served.api("/webhook", json ? { method: "PATCH", json } : { method: "DELETE" })).body
      ?.cancel();
    return await ids(world.services);
  };
  const { apiKey: secretKey } = world.served.provisioned;
  const url = `${world.program.api}/provider-hook`;
  assert.deepEqual(await hook(null), ["webhook.not_registered"]);
  assert.deepEqual(await hook({ url: "https://other.example/", secretKey }), ["webhook.foreign"]);
  assert.deepEqual(await hook({ url, secretKey, subscription: true, open: true }), [
    "webhook.missing_events",
    "webhook.surplus_events",
  ]);
  assert.deepEqual(await hook({ url, secretKey, subscription: true, bounce: true, complaint: true }), []);
});

async function visit(program: TestProgram, count: number, headers: (n: number) => Record<string, string>) {
  for (let n = 0; n < count; n++) {
    const response = await fetch(`${program.api}/subscribe`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers(n) },
      body: JSON.stringify({ source: "shortcode", email: "", cfbe_token: program.token() }),
    });
    await response.body?.cancel();
  }
}

Deno.test("an untrusted proxy header is reported, and the advised setting fixes it", async () => {
  await using world = await healthy();
  await world.services.settings.save("privacy", { ipSource: "default" });
  const settings = { ...world.services.settings.current(), privacy: { ipSource: "default" } };
  const services = { ...world.services, settings: { ...world.services.settings, current: () => settings } };
  await visit(world.program, 6, (n) => ({ "x-forwarded-for": `203.0.113.${n}` }));
  const { findings } = await diagnose(services as unknown as Services, { fetch });
  assert.deepEqual(findings.map(({ id }) => id), ["proxy.not_trusted"]);
  assert.match(findings[0]!.todo, /privacy\.ipSource x-forwarded-for/);
  // The program trusts x-real-ip, which nobody sends.
  assert.deepEqual(await ids(world.services), ["proxy.header_missing"]);
});

Deno.test("a proxy outside the trusted ranges is reported", async () => {
  await using world = await healthy();
  const { current, ...store } = world.services.settings;
  const { privacy, ...rest } = current();
  const settings = {
    ...store,
    current: () => ({ ...rest, privacy: { ...privacy, trustedProxies: ["10.0.0.0/8"] } }),
  };
  const client = { ...world.services, settings } as unknown as Services;
  for (let n = 0; n < 6; n += 1) {
    world.services.proxyHeaders.record(new Headers({ "x-real-ip": `203.0.113.${n}` }), "127.0.0.1", false);
  }
  assert.deepEqual(await ids(client), ["proxy.not_in_range"]);
});

Deno.test("visitors who all share one IP are reported", async () => {
  await using world = await healthy();
  await visit(world.program, 30, () => ({ "x-real-ip": "203.0.113.9" }));
  assert.deepEqual(await ids(world.services), ["proxy.one_ip"]);
});

Deno.test("five openings of a form are enough for the check of visitor IPs", async () => {
  await using world = await healthy();
  const name = "visitor IPs are distinguishable";
  const open = async (query: string, headers: Record<string, string> = {}) =>
    void await (await fetch(`${world.program.api}/form-token${query}`, { headers })).body?.cancel();
  // A script that signs up without a form, and a preview in the admin.
  for (let n = 0; n < 5; n++) {
    await open("");
    await open("?form=footer", { referer: `${world.program.baseUrl}/admin/forms` });
  }
  const before = await diagnose(world.services, { fetch });
  assert.match(before.reasons[name]!, /0 of 5 requests/);
  for (let n = 0; n < 5; n++) await open("?form=footer", { "x-real-ip": `203.0.113.${n}` });
  const after = await diagnose(world.services, { fetch });
  assert.ok(after.passed.includes(name));
});

Deno.test("requests of the command line, scripts, webhooks and the admin do not count as visitors", async () => {
  await using world = await healthy();
  const { baseUrl, config } = world.program;
  const headers = { authorization: `Bearer ${config.apiToken}` };
  const posts = ["/admin/login", "/integrations/signup", `${NAMESPACE}/provider-hook`, "/shop-hook/generic"];
  for (const path of ["/ops/counts", ...posts]) {
    const method = path === "/ops/counts" ? "GET" : "POST";
    await (await fetch(`${baseUrl}${path}`, { method, headers })).body?.cancel();
  }
  assert.equal(world.services.proxyHeaders.read().requests, 0);
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
  assert.match(findings[0]!.what, /is not writable: attempt to write a readonly database/);
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

Deno.test("a deactivated service and overdue jobs are reported", async () => {
  await using world = await healthy();
  await (await world.program.subscribe({ email: "ann@example.com" })).body?.cancel();
  const later = { ...world.services, clock: { ...systemClock, now: () => Date.now() + 20 * 60_000 } };
  assert.ok((await ids(later)).includes("jobs.overdue"));
  await world.services.activation.deactivate();
  assert.deepEqual(await ids(world.services), ["service.off"]);
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

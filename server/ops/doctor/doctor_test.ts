import assert from "node:assert/strict";
import { Hono } from "hono";
import { NAMESPACE } from "../../../shared/contract.ts";
import { systemClock } from "../../deps.ts";
import { type ServeOptions, serveSandbox } from "../../sandbox/testing/serve.ts";
import type { Services } from "../../services.ts";
import { startProgram, type TestProgram } from "../../testing/program.ts";
import { diagnose } from "./doctor.ts";

/** What the doctor finds, by its names. */
async function ids(services: Services): Promise<string[]> {
  return (await diagnose(services, { fetch })).findings.map(({ id }) => id);
}

/** A program with nothing wrong: its provider is a sandbox on another port, and its webhook is registered there. */
async function healthy(options: ServeOptions = {}, env: Record<string, string> = {}) {
  const served = await serveSandbox(options);
  const { project, apiKey, list } = served.made;
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

Deno.test("nothing is found where nothing is wrong, and what was looked at is named", async () => {
  await using world = await healthy();
  const diagnosis = await diagnose(world.services, { fetch });
  assert.deepEqual([diagnosis.ok, diagnosis.findings], [true, []]);
  assert.ok(diagnosis.well.includes("the webhook is registered"));
  assert.deepEqual(diagnosis.skipped, [
    "the database, its salt and its token are for this user alone",
    "the shop is connected",
    "visitors are told apart",
  ]);
});

Deno.test("found: a wrong key, and what else a refusal may mean", async () => {
  await using world = await healthy({}, { CFBE_PROVIDER_API_KEY: "not-the-key" });
  const { findings, ok } = await diagnose(world.services, { fetch });
  const found = findings.find(({ id }) => id === "provider.wrong_key")!;
  assert.equal(ok, false);
  assert.match(found.todo, /don't belong together.*whitelist/);
});

Deno.test("found: a key that belongs to another project", async () => {
  await using world = await healthy({}, { CFBE_PROVIDER_PROJECT: "0123456789abcdef01234567" });
  const { findings } = await diagnose(world.services, { fetch });
  assert.match(findings.map(({ todo }) => todo).join(), /API key and the project id don't belong together/);
});

Deno.test("found: no default list, a list that is gone, and double opt-in switched off", async () => {
  await using world = await healthy();
  const { settings } = world.services;
  const single = world.served.made.lists.find(({ doubleOptIn }) => !doubleOptIn)!;
  await settings.save("general", { defaultList: "" });
  await settings.save("popup", { list: "gone" });
  await settings.save("checkout", { list: single.id });
  assert.deepEqual(await ids(world.services), ["lists.no_default", "lists.missing", "lists.single_opt_in"]);
});

Deno.test("found: a webhook that is not registered, somebody else's, with another key, or telling too much", async () => {
  await using world = await healthy();
  const hook = async (json: Record<string, unknown> | null) => {
    await (await world.served.api("/webhook", json ? { method: "PATCH", json } : { method: "DELETE" })).body
      ?.cancel();
    return await ids(world.services);
  };
  const { apiKey: secretKey } = world.served.made;
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
    const answer = await fetch(`${program.api}/subscribe`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers(n) },
      body: JSON.stringify({ source: "shortcode", email: "", cfbe_token: program.token() }),
    });
    await answer.body?.cancel();
  }
}

Deno.test("found: a proxy's header that is not trusted, and then all is well with what the finding says to do", async () => {
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

Deno.test("found: a proxy that is not in the trusted ranges", async () => {
  await using world = await healthy();
  const { current, ...store } = world.services.settings;
  const { privacy, ...rest } = current();
  const settings = {
    ...store,
    current: () => ({ ...rest, privacy: { ...privacy, trustedProxies: ["10.0.0.0/8"] } }),
  };
  const client = { ...world.services, settings } as unknown as Services;
  for (let n = 0; n < 6; n += 1) {
    world.services.proxyHeaders.note(new Headers({ "x-real-ip": `203.0.113.${n}` }), "127.0.0.1", false);
  }
  assert.deepEqual(await ids(client), ["proxy.not_in_range"]);
});

Deno.test("found: all visitors share one IP", async () => {
  await using world = await healthy();
  await visit(world.program, 30, () => ({ "x-real-ip": "203.0.113.9" }));
  assert.deepEqual(await ids(world.services), ["proxy.one_ip"]);
});

Deno.test("found: a clock that is minutes off the provider's, and not one that is seconds off", async () => {
  const ahead = (ms: number) => ({ clock: { ...systemClock, now: () => Date.now() + ms } });
  await using far = await healthy(ahead(5 * 60_000));
  const { findings } = await diagnose(far.services, { fetch });
  assert.match(findings.find(({ id }) => id === "clock.skew")!.what, /(299|300) s behind/);
  await using near = await healthy(ahead(20_000));
  assert.deepEqual(await ids(near.services), []);
});

Deno.test("found: a database that takes no writes", async () => {
  await using world = await healthy();
  const readOnly = new Proxy(world.services.kv, {
    get(target, name) {
      if (name === "set") return () => Promise.reject(new TypeError("attempt to write a readonly database"));
      const member = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const { findings } = await diagnose({ ...world.services, kv: readOnly }, { fetch });
  assert.match(findings[0]!.what, /takes no writes: attempt to write a readonly database/);
});

Deno.test("found: a salt, a token or a database that others can read or replace", async () => {
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

Deno.test("found: a public address that leads nowhere or elsewhere, that is cached, or without https; the sandbox in public", async () => {
  await using program = await startProgram({ run: false });
  const at = (baseUrl: string, answer: (path: string) => Response | Promise<Response>) =>
    diagnose({ ...program.services, config: { ...program.config, baseUrl } }, {
      fetch: async (input) => await answer(new URL(input).pathname),
    }).then(({ findings }) => findings.map(({ id }) => id).filter((id) => /^(address|sandbox)/.test(id)));
  const site = new Hono();
  site.get("/healthz", (c) => c.json({ ok: true, service: "cfbe" }));
  site.get(`${NAMESPACE}/form-token`, (c) => c.json({ token: "1.same" }));
  const answers = (path: string) => site.request(path);
  assert.deepEqual(await at("https://news.example", answers), ["address.cached", "sandbox.public"]);
  assert.deepEqual(await at("http://news.example", () => new Response("hello")), [
    "address.http",
    "address.unreachable",
    "sandbox.public",
  ]);
  assert.deepEqual(await at("http://localhost:1", () => Promise.reject(new TypeError("refused"))), [
    "address.unreachable",
  ]);
});

Deno.test("found: a service that is switched off, jobs that were given up, and jobs that nobody runs", async () => {
  await using world = await healthy();
  await (await world.program.subscribe({ email: "ann@example.com" })).body?.cancel();
  const later = { ...world.services, clock: { ...systemClock, now: () => Date.now() + 20 * 60_000 } };
  assert.ok((await ids(later)).includes("jobs.overdue"));
  await world.services.activation.deactivate();
  assert.deepEqual(await ids(world.services), ["service.off"]);
});

Deno.test("the sandbox on an address of this machine is neither an error nor proof that mail goes out", async () => {
  await using program = await startProgram({ run: false });
  const { well, skipped, findings } = await diagnose(program.services, { fetch });
  assert.deepEqual(findings.map(({ id }) => id), []);
  assert.ok(skipped.includes("mail goes out") && !well.some((name) => /mail|real/.test(name)), well.join());
});

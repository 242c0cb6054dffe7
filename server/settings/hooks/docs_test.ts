/**
 * Type-checks every example of docs/hooks.md, loads it as a config file, and tests that it does what the page
 * says.
 */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
// Loaded before any test, because its HTTP client lives as long as the process.
import "../../platform/http/outbound/transport.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { loadConfigFile } from "./config_file.ts";
import {
  type Actions,
  type AlertEvent,
  type ConfirmedEvent,
  createHooks,
  type Filters,
  type Hooks,
  type SubscribedEvent,
} from "./hooks.ts";

const SERVER = new URL("../../", import.meta.url).href;
const PAGE = Deno.readTextFileSync(new URL("../../../docs/hooks.md", import.meta.url));

/** Returns the examples of one hook, with their URLs replaced by `server`. */
function examplesOf(name: string, server: string): string[] {
  const section = PAGE.split(/^### /m).find((part) => part.startsWith(`${name}\n`)) ?? "";
  const found = [...section.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code!);
  assert.ok(found.length > 0, `docs/hooks.md has no example of ${name}`);
  return found.map((code) =>
    code.replaceAll('"./server/', `"${SERVER}`)
      .replace(/https:\/\/\w+\.example|http:\/\/127\.0\.0\.1:6081/g, server)
  );
}

/** Records every request that an example makes. */
async function listen() {
  const requests: { line: string; host: string | undefined; body: string }[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const { method, url, headers } = request;
    const body = (await Array.fromAsync(request)).join("");
    requests.push({ line: `${method} ${url}`, host: headers.host, body });
    response.setHeader("connection", "close").end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { requests, url, close: () => new Promise((resolve) => server.close(resolve)) };
}

type Requests = Awaited<ReturnType<typeof listen>>["requests"];

const signup = {
  email: "ann@example.com",
  list: "l",
  tags: [],
  source: "block",
  consent: true,
  ip: null,
} as const;

/** What each example must do. `satisfies` makes sure that no hook is missing. */
const EXAMPLES = {
  async cfbe_subscribed(hooks, requests) {
    const event = { email: "ann@example.com", list: "l", source: "popup", at: 1 } as SubscribedEvent;
    await hooks.emit("cfbe_subscribed", { ...event, outcome: "suppressed" });
    assert.equal(requests.length, 0);
    await hooks.emit("cfbe_subscribed", { ...event, outcome: "pending" });
    assert.equal(requests[0]!.line, "POST /leads");
    assert.deepEqual(JSON.parse(requests[0]!.body), { email: "ann@example.com", list: "l", source: "popup" });
  },
  async cfbe_confirmed(hooks, requests) {
    const event = {
      email: "ann@example.com",
      list: "l",
      source: "popup",
      by: "poll",
      at: 1,
    } as ConfirmedEvent;
    assert.equal(await hooks.emit("cfbe_confirmed", event), true);
    assert.equal(requests[0]!.line, "POST /subscribers");
    assert.deepEqual(JSON.parse(requests[0]!.body), { email: "ann@example.com", list: "l" });
  },
  async cfbe_webhook_received(hooks, requests) {
    await hooks.emit("cfbe_webhook_received", { payload: { type: "open" }, action: "received", at: 1 });
    await hooks.emit("cfbe_webhook_received", { payload: { type: "bounce" }, action: "received", at: 2 });
    assert.deepEqual(requests.map(({ line, body }) => `${line} ${body}`), ["POST /bounces 2"]);
  },
  async cfbe_purge_page_cache(hooks, requests) {
    await hooks.emit("cfbe_purge_page_cache", { tab: "form" });
    assert.deepEqual(requests.map(({ line, host }) => `${line} ${host}`).toSorted(), [
      "PURGE / shop.example",
      "PURGE /cfbe.js?form=footer shop.example",
      "PURGE /cfbe.json shop.example",
    ]);
  },
  async cfbe_alert(hooks, requests) {
    const event = {
      id: "jobs-1-0",
      level: "error",
      what: "A job has failed.",
      text: "All of it.",
    } as AlertEvent;
    assert.equal(await hooks.emit("cfbe_alert", event), true);
    const [{ line, body }] = requests as [Requests[number]];
    if (line.startsWith("POST /services/")) return assert.deepEqual(JSON.parse(body), { text: "All of it." });
    assert.equal(line, "POST /v1/send");
    const { subject, text } = JSON.parse(body);
    assert.deepEqual([subject, text], ["[cfbe error] A job has failed.", "All of it."]);
  },
  async cfbe_client_ip(hooks) {
    const from = (headers: HeadersInit) => new Request("http://a.example", { headers });
    assert.equal(await hooks.filter("cfbe_client_ip", "192.0.2.1", from({})), "192.0.2.1");
    const behind = from({ "fly-client-ip": "192.0.2.9" });
    assert.equal(await hooks.filter("cfbe_client_ip", "192.0.2.1", behind), "192.0.2.9");
  },
  async cfbe_signup_site_limit(hooks) {
    const expected = new Date().getMonth() === 10 ? 300 : 30;
    assert.equal(await hooks.filter("cfbe_signup_site_limit", 30), expected);
  },
  async cfbe_signup(hooks) {
    const pass = (more: object) => hooks.filter("cfbe_signup", { ...signup, tags: [], ...more });
    assert.deepEqual(await pass({}), signup);
    assert.equal(await pass({ email: "x@mailinator.com" }), false);
    const press = { ...signup, placement: "press", list: "press-list" };
    assert.deepEqual(await pass({ placement: "press" }), press);
  },
  async cfbe_tags(hooks) {
    const about = { email: "ann@example.com" };
    assert.deepEqual(await hooks.filter("cfbe_tags", ["a"], { ...about, for: "signup" }), ["a", "website"]);
    assert.deepEqual(await hooks.filter("cfbe_tags", ["a"], { ...about, for: "contact" }), ["a"]);
  },
  async cfbe_mail_data(hooks) {
    const about = { email: "ann@example.com", template: "t" };
    const cart = { total: 19, currency: "EUR" };
    const filtered = await hooks.filter("cfbe_mail_data", cart, { ...about, kind: "cart" });
    assert.match(String(filtered["totalText"]), /^19,00\s€$/);
    const coupon = { code: "X", currency: "EUR" };
    assert.deepEqual(await hooks.filter("cfbe_mail_data", coupon, { ...about, kind: "coupon" }), coupon);
  },
  async cfbe_capability(hooks) {
    const ask = (capability: string) => hooks.filter("cfbe_capability", capability);
    const capabilities = [await ask("operate"), await ask("people"), await ask("users")];
    assert.deepEqual(capabilities, ["view", "nobody", "users"]);
  },
} satisfies Record<keyof Actions | keyof Filters, (hooks: Hooks, requests: Requests) => Promise<void>>;

for (const [name, proves] of Object.entries(EXAMPLES)) {
  Deno.test(`the examples of ${name} do what the page says`, async () => {
    for (const index of examplesOf(name, "").keys()) {
      const server = await listen();
      const folder = await Deno.makeTempDir();
      try {
        const path = `${folder}/cfbe.config.ts`;
        await Deno.writeTextFile(path, examplesOf(name, server.url)[index]!);
        const log = memoryLog();
        const hooks = createHooks(await loadConfigFile(path), { clock: new ManualClock(), log });
        await proves(hooks, server.requests);
        assert.deepEqual(log.entries, []);
      } finally {
        await server.close();
        await Deno.remove(folder, { recursive: true });
      }
    }
  });
}

Deno.test("the examples pass the type check as written", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const examples = Object.keys(EXAMPLES).flatMap((name) => examplesOf(name, "http://127.0.0.1"));
    const paths = await Promise.all(examples.map(async (code, index) => {
      const path = `${folder}/${index}.ts`;
      await Deno.writeTextFile(path, code);
      return path;
    }));
    const config = fileURLToPath(new URL("../../../deno.json", import.meta.url));
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--config", config, ...paths],
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

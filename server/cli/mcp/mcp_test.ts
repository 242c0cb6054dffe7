import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createKeyring } from "../../platform/keys/keyring.ts";
import { readFormConfig } from "../../forms/public/signed_config.ts";
import { ALL_SCOPES, type Scope } from "../../platform/tokens/scopes.ts";
import { scopesOf } from "../client/token_scopes.ts";
import { runningService, SALT, TOKEN } from "../testing/cli.ts";
import { createMcpServer } from "./server.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

interface Tool {
  name: string;
  description?: string;
  annotations?: { readOnlyHint?: boolean };
}

/** Starts the real command and talks to it like an agent. */
async function agent(env: Record<string, string>) {
  const client = new Client({ name: "a test", version: "1" });
  const transport = new StdioClientTransport({
    command: Deno.execPath(),
    args: ["run", "-A", "--config", path("../../../deno.json"), path("../main.ts"), "mcp"],
    env: { ...Deno.env.toObject(), CFBE_SALT: SALT, CFBE_API_TOKEN: TOKEN, ...env },
    stderr: "inherit",
  });
  await client.connect(transport);
  return {
    client,
    async call(name: string, args: Record<string, unknown> = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      const [{ text }] = content as [{ text: string }];
      return { isError, text, json: () => JSON.parse(text) };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

Deno.test({
  name:
    "an agent can query one address, counts and failures, poll and sign a form, but cannot list addresses",
  // The SDK's client kills the process it started and leaves its streams open.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using program = await runningService();
    for (const name of ["ann", "bounced"]) {
      await (await program.subscribe({ email: `${name}@example.com` })).body?.cancel();
    }
    await (await program.subscribe({ email: "bot@example.com", cfbe_hp: "x" })).body?.cancel();
    await program.runner.idle();
    await using a = await agent(program.shell);

    const tools: Tool[] = (await a.client.listTools()).tools;
    assert.deepEqual(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]), [
      ["signup_status", true],
      ["counts", true],
      ["failures", true],
      ["poll", false],
      ["sign_form", true],
    ]);
    const page = Deno.readTextFileSync(path("../../../docs/agents.md"));
    const documented = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    assert.deepEqual(documented, tools.map(({ name }) => name));
    assert.ok(tools.every(({ description }) => description!.length > 40));

    const [status] = (await a.call("signup_status", { email: "ann@example.com" })).json();
    assert.equal(status.record.status, "pending");
    assert.deepEqual((await a.call("signup_status", { email: "nobody@example.com" })).json(), []);

    const counts = (await a.call("counts", { hours: 24 })).json();
    assert.deepEqual([counts.requests, counts.accepted, counts.dropped], [3, 2, { honeypot: 1 }]);
    assert.ok(counts.since <= Date.now());

    const failures = await a.call("failures");
    const [{ count, reason }] = failures.json().signups;
    assert.equal(count, 1);
    assert.notEqual(reason, "");
    assert.doesNotMatch(failures.text, /bounced@/);

    assert.equal((await a.call("poll")).json().lists, 1);
    const { cfg } = (await a.call("sign_form", { list: "l1", tags: ["vip"] })).json();
    assert.deepEqual(readFormConfig(createKeyring([SALT]), cfg), { list: "l1", tags: ["vip"] });

    const wrong = await a.call("signup_status", { email: "no address" });
    assert.deepEqual([wrong.isError, wrong.text], [true, "`email` must be an email address."]);
    assert.ok((await a.call("counts", { hours: 0 })).isError);
    await assert.rejects(
      a.call("erase", { email: "ann@example.com" }).then(({ isError, text }) => {
        if (isError) throw new Error(text);
      }),
      /not found/,
    );
  },
});

Deno.test("an agent is offered only the tools that its token's scopes allow", async () => {
  const offered = async (...scopes: Scope[]) => {
    const server = createMcpServer(() => Promise.reject(new Error("not called")), scopes);
    const client = new Client({ name: "a test", version: "1" });
    const [here, there] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(there), client.connect(here)]);
    const tools: Tool[] = (await client.listTools()).tools;
    await client.close();
    return tools.map(({ name }) => name);
  };
  assert.deepEqual(await offered("read"), ["counts", "failures"]);
  assert.deepEqual(await offered("read", "people"), ["signup_status", "counts", "failures"]);
  assert.deepEqual(await offered("operate"), ["poll", "sign_form"]);
  const page = Deno.readTextFileSync(path("../../../docs/agents.md"));
  const documented = [...page.matchAll(/^\| `(\w+)`.*\| `(\w+)` +\|$/gm)].map((
    [, tool, scope],
  ) => [tool!, scope!]);
  assert.equal(documented.length, 5);
  for (const [tool, scope] of documented) assert.ok((await offered(scope as Scope)).includes(tool!), tool);
  assert.deepEqual(await offered("admin"), ["signup_status", "counts", "failures", "poll", "sign_form"]);
});

Deno.test("the tools follow the scopes that the service says its token has", async () => {
  await using program = await runningService({ run: false });
  const added = await program.services.apiTokens.add({ name: "agent", scopes: ["read"], by: "ann" });
  assert(typeof added === "object");
  const env = (token: string) => ({ ...program.shell, CFBE_SALT: SALT, CFBE_API_TOKEN: token });
  assert.deepEqual(await scopesOf(env(added.token)), ["read"]);
  assert.deepEqual(await scopesOf(env(TOKEN)), ALL_SCOPES);
  assert.deepEqual(await scopesOf({ PORT: "1", CFBE_KV: ":memory:" }), ALL_SCOPES, "no service is running");
});

Deno.test({
  name: "an agent gets a readable error while the service is down, and works again once it is up",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using a = await agent({ PORT: "1", CFBE_KV: ":memory:" });
    const { isError, text } = await a.call("counts");
    assert.ok(isError);
    assert.match(text, /No service is running at http:\/\/localhost:1/);
    assert.ok((await a.call("counts")).isError, "and the MCP server is still running");
  },
});

Deno.test("the command line loads the MCP SDK only for the `mcp` command", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--config", path("../../../deno.json"), path("../main.ts")],
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout));
  const dynamic =
    (modules as { specifier: string; dependencies?: { specifier: string; isDynamic?: boolean }[] }[])
      .flatMap(({ dependencies = [] }) => dependencies).filter(({ specifier }) => specifier.includes("mcp/"));
  assert.deepEqual(dynamic.map(({ specifier, isDynamic }) => [specifier, isDynamic]), [[
    "../mcp/stdio.ts",
    true,
  ]]);
});

/**
 * The plugin's abilities for AI agents. Debian's WordPress is older than the Abilities API, so `abilities_api.php`
 * stands in for it. With a `CFBE_TEST_WORDPRESS` of 6.9 or later, the tests use the real one.
 */
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { createMcpServer } from "../../server/cli/mcp/server.ts";
import { readFormConfig } from "../../server/forms/public/signed_config.ts";
import { ALL_SCOPES } from "../../server/platform/tokens/scopes.ts";
import { waitForStatus } from "../visitors.ts";
import { API_TOKEN } from "../program.ts";
import { abilitiesOf } from "./abilities.ts";
import { hostTest, SALT, sharedStage } from "./stage.ts";

const stage = sharedStage();
const STAND_IN = new URL("abilities_api.php", import.meta.url);
Deno.test.beforeAll(async () => {
  const { site } = stage();
  if (await site.php<boolean>("return function_exists( 'wp_register_ability' );")) return;
  await Deno.copyFile(STAND_IN, `${site.folder}/wp-content/mu-plugins/abilities_api.php`);
});

const { errorOf, registeredAbilities, resultOf, run } = abilitiesOf(stage);

const query = (name: string, input: unknown) =>
  stage().program.json<unknown>(`/ops/${name}`, { method: "POST", body: JSON.stringify(input) });

async function signUp(email: string): Promise<void> {
  const body = JSON.stringify({ source: "account", email });
  await stage().program.json("/integrations/signup", { method: "POST", body });
}

/** The part of an MCP tool that the test uses. */
interface Tool {
  name: string;
  inputSchema: { properties?: Record<string, unknown>; required?: string[] };
  annotations?: { readOnlyHint?: boolean };
}

hostTest("the abilities match the tools of the MCP server: the same names, input and hints", async () => {
  const [clientTransport, serverTransport] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(() => Promise.reject(new Error("not used in this test")), ALL_SCOPES);
  const client = new Client({ name: "a test", version: "1" });
  await Promise.all([server.connect(serverTransport), client.connect(clientTransport)]);
  const tools: Tool[] = (await client.listTools()).tools;
  await client.close();
  const abilities = await registeredAbilities();
  assert.deepEqual(Object.keys(abilities), tools.map(({ name }) => `cfbe/${name.replaceAll("_", "-")}`));
  for (const { name, inputSchema, annotations } of tools) {
    const { category, input, meta, label, description } = abilities[`cfbe/${name.replaceAll("_", "-")}`]!;
    assert.equal(category, "cfbe");
    assert.equal(meta.show_in_rest, true);
    assert.ok(label && description, name);
    assert.deepEqual(
      Object.keys(input.properties ?? {}).toSorted(),
      Object.keys(inputSchema.properties ?? {}).toSorted(),
    );
    assert.deepEqual(input.required, inputSchema.required, name);
    assert.equal(meta.annotations["readonly"] ?? true, annotations!.readOnlyHint, name);
    assert.deepEqual([meta.annotations["destructive"], meta.annotations["idempotent"]], [false, true], name);
  }
  assert.equal(await stage().site.phpErrors(), "");
});

hostTest(
  "WordPress accepts an email address only in a request body, never in a URL that logs store",
  async () => {
    const { meta } = (await registeredAbilities())["cfbe/signup-status"]!;
    // WordPress's REST route uses GET for readonly abilities, and POST for all others except deletions.
    assert.equal(meta.annotations["readonly"], null);
  },
);

hostTest("each ability returns the server's response", async () => {
  const { program } = stage();
  await signUp("ann@example.com");
  await waitForStatus(program, "ann@example.com", "pending");

  const status = await resultOf("signup-status", { email: "ann@example.com" });
  assert.deepEqual(status, { signups: await query("status", { email: "ann@example.com" }) });
  assert.deepEqual(await resultOf("signup-status", { email: "nobody@example.com" }), { signups: [] });
  assert.deepEqual(await resultOf("counts", { hours: "24" }), await query("counts", { hours: 24 }));
  assert.deepEqual(await resultOf("counts"), await query("counts", {}));
  assert.deepEqual(await resultOf("failures", { limit: 5 }), await query("failures", { limit: 5 }));

  const report = await resultOf("poll");
  assert.deepEqual([report["lists"], report["failed"], report["done"]], [1, 0, true]);
});

hostTest("WordPress signs a form with its salt, and lets the server sign it if it has none", async () => {
  const config = { list: "65f0", tags: ["a", "b c"], placement: "landing", form: "footer", locale: "de" };
  const keyring = createKeyring([SALT]);
  const here = await resultOf("sign-form", config, { token: "" });
  assert.deepEqual(readFormConfig(keyring, here["cfg"]), config);
  await stage().set({ salt: "" });
  const there = await resultOf("sign-form", config);
  assert.deepEqual(readFormConfig(keyring, there["cfg"]), config);
  const [code, message] = await errorOf("sign-form", config, { token: "" });
  assert.equal(code, "cfbe_no_token");
  assert.match(message, /CFBE_API_TOKEN/);
});

hostTest("invalid input is rejected without a request to the server", async () => {
  await stage().set({ address: "http://localhost:9" });
  const wrong: [string, unknown][] = [
    ["signup-status", undefined],
    ["signup-status", { email: ["ann@example.com"] }],
    ["signup-status", { email: "x".repeat(255) }],
    ["counts", { hours: 0 }],
    ["counts", { days: 1 }],
    ["failures", { limit: 101 }],
    ["poll", { force: true }],
    ["sign-form", {}],
    ["sign-form", { consent: "x" }],
    ["sign-form", { tags: Array(21).fill("x") }],
  ];
  for (const [name, input] of wrong) {
    assert.equal(
      (await errorOf(name, input))[0],
      "ability_invalid_input",
      `${name} ${JSON.stringify(input)}`,
    );
  }
  const [code, message] = await errorOf("sign-form", {
    tags: Array.from({ length: 20 }, (_, i) => `${i}`.padEnd(64, "x")),
  });
  assert.deepEqual([code, message], ["cfbe_invalid", "The tags are longer than 1000 bytes in total."]);
});

hostTest(
  "errors of abilities say what to do, and never contain the token",
  async () => {
    const { set } = stage();
    const errors = {
      none: await errorOf("counts", {}, { token: "" }),
      wrong: await errorOf("counts", {}, { token: "another token" }),
      refused: await errorOf("signup-status", { email: "no address" }),
    };
    await set({ address: "http://localhost:9" });
    const down = await errorOf("poll");
    await set({ address: `${stage().site.url}/wp-login.php?` });
    const foreign = await errorOf("counts");
    await set({ address: "" });
    const unset = await errorOf("counts");
    assert.deepEqual(errors.none[0], "cfbe_no_token");
    assert.match(errors.none[1], /Set CFBE_API_TOKEN in wp-config\.php/);
    assert.match(errors.wrong[1], /rejected the API token/);
    assert.deepEqual(errors.refused, ["cfbe_invalid", "`email` must be an email address."]);
    assert.match(down[1], /Could not reach http:\/\/localhost:9/);
    assert.match(foreign[1], /can’t be read/);
    assert.match(unset[1], /Enter the URL/);
    for (const [, message] of [...Object.values(errors), down, foreign, unset]) {
      assert.ok(!message.includes(API_TOKEN), message);
    }
  },
);

hostTest("the token is sent only to the server's URL, and follows no redirect", async () => {
  const seen: [string, string | null][] = [];
  await using elsewhere = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    seen.push([pathname, request.headers.get("authorization")]);
    return pathname === "/ops/counts" ? Response.redirect(new URL("/stolen", request.url)) : new Response();
  });
  await stage().set({ address: `http://127.0.0.1:${elsewhere.addr.port}` });
  assert.match((await errorOf("counts"))[1], /HTTP 302/);
  assert.deepEqual(seen, [["/ops/counts", `Bearer ${API_TOKEN}`]]);
});

hostTest("only users who can change the settings can run abilities", async () => {
  const as = (role: string, before = "") =>
    run("counts", {}, {
      before: `${before} wp_set_current_user( wp_insert_user( array(
        'user_login' => '${role}' . wp_rand(), 'user_pass' => 'x', 'role' => '${role}' ) ) );`,
    });
  for (const role of ["subscriber", "author", "editor"]) {
    assert.equal((await as(role)).code, "ability_invalid_permissions", role);
  }
  assert.equal((await as("administrator")).code, undefined);
  const toEditors = "add_filter( 'cfbe_capability', static function () { return 'edit_others_posts'; } );";
  assert.equal((await as("editor", toEditors)).code, undefined);
  const anonymous = await run("counts", {}, { before: "wp_set_current_user( 0 );" });
  assert.equal(anonymous.code, "ability_invalid_permissions");
});

hostTest("in a German WordPress, the abilities have German labels", async () => {
  const label = await stage().site.php(
    `add_filter( 'locale', static function () { return 'de_DE'; } );
    unload_textdomain( 'cfbe' ); cfbe_load_textdomain();
    return wp_get_ability( 'cfbe/counts' )->get_label();`,
  );
  assert.equal(label, "Zahlen der Anmeldeversuche");
});

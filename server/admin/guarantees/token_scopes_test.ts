import assert from "node:assert/strict";
import { type AdminHarness, adminHarness } from "../../../dev/testing/admin_harness.ts";
import { unmovable } from "../../../dev/testing/harness.ts";
import { opsRoutes } from "../../operations/remote/routes.ts";
import { queries } from "../../operations/remote/queries.ts";
import { TOKEN_ROUTES } from "../../platform/tokens/routes.ts";
import { ALL_SCOPES, grants, type Scope } from "../../platform/tokens/scopes.ts";
import { openApiDocument } from "../../program/openapi/document.ts";
import { actions } from "../action_table.ts";
import { CAPABILITIES, type Capability, SCOPE_OF } from "../auth/capability.ts";
import { downloadRoutes, DOWNLOADS } from "../download_routes.ts";

/** A request that an API token can make, and what it needs; undefined if any token will do. */
interface Reached {
  method: string;
  path: string;
  scope: Scope | undefined;
}

/** Everything that API tokens reach, from its declarations. The body of each request is invalid for all queries. */
const ALL: readonly Reached[] = [
  ...Object.values(TOKEN_ROUTES),
  ...Object.entries(queries).map(([name, { scope }]) => ({ method: "POST", path: `/ops/${name}`, scope })),
  ...actions.map(({ name, upload, capability }) => ({
    method: "POST",
    path: `/admin/${upload ? "upload" : "ajax"}?action=${name}`,
    scope: SCOPE_OF[capability],
  })),
  ...DOWNLOADS.map(({ path, capability }) => ({
    method: "GET",
    path: `/admin${path.replace(":file", "none.csv")}`,
    scope: SCOPE_OF[capability],
  })),
  { method: "GET", path: "/admin/preview", scope: SCOPE_OF.view },
];

async function tokenWith(app: AdminHarness, scopes: string[]): Promise<string> {
  const added = await app.services.apiTokens.add({ name: `with ${scopes.join(" ")}`, scopes, by: "ann" });
  assert(typeof added === "object");
  return added.token;
}

async function send(app: AdminHarness, { method, path }: Reached, token: string | undefined, peer: string) {
  const response = await app.fetch(path, {
    method,
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    ...(method === "POST" && { body: "[]" }),
  }, peer);
  return { status: response.status, text: await response.text() };
}

for (const scope of ALL_SCOPES) {
  Deno.test(`a token with only the scope ${scope} does what requires it, and nothing else`, async () => {
    await using app = await adminHarness();
    const token = await tokenWith(app, [scope]);
    const wrong: string[] = [];
    for (const [index, reached] of ALL.entries()) {
      const { status, text } = await send(app, reached, token, `192.0.2.${index}`);
      const may = reached.scope === undefined || grants([scope], reached.scope);
      const isRight = may
        ? status !== 401 && status !== 403
        : status === 403 && text.includes(`lacks the scope \\"${reached.scope}\\"`) ||
          text.includes(`lacks the scope "${reached.scope}"`);
      if (!isRight) wrong.push(`${reached.method} ${reached.path}: ${status} ${text.slice(0, 100)}`);
    }
    assert.deepEqual(wrong, []);
  });
}

Deno.test("nothing that tokens reach works without one, with a wrong one, or with one that only has unknown scopes", async () => {
  await using app = await adminHarness();
  const newer = await tokenWith(app, ["newer", "constructor", "ADMIN", "admin "]);
  const stored = JSON.stringify(await app.services.apiTokens.list());
  const wrong: string[] = [];
  for (const [index, reached] of ALL.entries()) {
    const peer = `192.0.2.${index}`;
    const statuses = await Promise.all(
      [undefined, "not-the-api-token", newer].map(async (token) =>
        (await send(app, reached, token, peer)).status
      ),
    );
    // Those of a connected site know no other token.
    const isOfSite = reached.path.startsWith("/connect/");
    const newerStatus = isOfSite ? 404 : reached.scope === undefined ? 200 : 403;
    if (statuses.join(" ") !== `401 401 ${newerStatus}`) wrong.push(`${reached.path}: ${statuses.join(" ")}`);
  }
  assert.deepEqual(wrong, []);
  assert.equal(
    JSON.stringify((await app.services.apiTokens.list()).map(({ usedAt: _, ...each }) => each)),
    stored,
    "nothing was changed",
  );
});

Deno.test("the token of the environment may do everything that any token may", async () => {
  await using app = await adminHarness();
  for (const [index, reached] of ALL.entries()) {
    const { status } = await send(app, reached, "the-api-token-of-tests", `192.0.2.${index}`);
    assert.ok(status !== 401 && status !== 403, `${reached.path}: ${status}`);
  }
});

Deno.test("a scope is required of an action that is named in the body, too", async () => {
  await using app = await adminHarness();
  const token = await tokenWith(app, ["read", "signup", "operate"]);
  for (const action of ["cfbe_erase_person", "cfbe_add_user", "cfbe_add_token", "cfbe_save_general"]) {
    const response = await app.fetch("/admin/ajax", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ action }),
    });
    const { ok, code, message } = await response.json();
    assert.deepEqual([response.status, ok, code], [403, false, "not_allowed"], action);
    assert.match(
      message,
      /lacks the scope "(people|admin)"\. Use a token that has it\. Nothing was changed\./,
    );
  }
});

Deno.test("no page, search or account of the admin is open to an API token", async () => {
  await using app = await adminHarness();
  const headers = {
    authorization: `Bearer ${await tokenWith(app, ["admin"])}`,
    origin: "http://localhost:8000",
  };
  for (const path of ["/admin/overview", "/admin/subscribers", "/admin/users"]) {
    const response = await app.fetch(path, { headers });
    await response.body?.cancel();
    assert.equal(response.status, 401, path);
  }
  const search = await app.fetch("/admin/subscribers", { method: "POST", headers, body: "q=ann" });
  assert.equal(search.status, 401);
  await search.body?.cancel();
});

Deno.test("every route below /ops and every download is among those that declare a scope", async () => {
  await using app = await adminHarness();
  const declared = new Set<string>([
    ...Object.values(TOKEN_ROUTES).map(({ path }) => path.replace(/^\/ops/, "")),
    "/:query",
  ]);
  const paths = opsRoutes({ ...app.services, moves: unmovable(app.services.kv) }).routes.map(({ path }) =>
    path
  );
  assert.deepEqual(paths.filter((path) => path !== "/*" && path !== "/proof" && !declared.has(path)), []);
  const downloads = new Set(DOWNLOADS.map(({ path }) => path));
  assert.deepEqual(downloadRoutes(app.services).routes.filter(({ path }) => !downloads.has(path)), []);
});

Deno.test("every operation of OpenAPI with an API token names the scope that its route requires", () => {
  const { paths = {} } = openApiDocument("https://news.example");
  const named = Object.entries(paths).flatMap(([path, item]) =>
    (["get", "post"] as const).flatMap((method) =>
      (item[method]?.security ?? []).flatMap((each) =>
        each["apiToken"] ? [[`${method.toUpperCase()} ${path}`, each["apiToken"]]] : []
      )
    )
  );
  const { method, path, scope } = TOKEN_ROUTES.signup;
  assert.deepEqual(named, [[`${method} ${path}`, [scope]]]);
});

Deno.test("every capability has a scope, and each scope is required by something", () => {
  assert.deepEqual(Object.keys(SCOPE_OF).toSorted(), Object.keys(CAPABILITIES).toSorted());
  const required = new Set(ALL.map(({ scope }) => scope));
  assert.deepEqual(ALL_SCOPES.filter((scope) => !required.has(scope)), []);
  const reading: Capability[] = ["view"];
  for (const [capability, scope] of Object.entries(SCOPE_OF)) {
    if (scope === "read") assert.ok(reading.includes(capability as Capability), capability);
  }
});

Deno.test("a shop's token reaches the route for signups and its own description, and nothing else", () => {
  const reached = ALL.filter(({ scope }) => scope === undefined || grants(["signup"], scope));
  assert.deepEqual(reached.map(({ method, path }) => `${method} ${path}`), [
    "POST /integrations/signup",
    "GET /ops/token",
    "GET /connect/site",
    "POST /connect/disconnect",
  ]);
});

Deno.test("no token, whatever its scope, gets a proof of consent or a variant signed", async () => {
  await using app = await adminHarness();
  const sign = async (token: string, config: object) => {
    const response = await app.fetch("/ops/sign", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(config),
    });
    await response.body?.cancel();
    return response.status;
  };
  for (const scope of ["operate", "admin"]) {
    const token = await tokenWith(app, [scope]);
    assert.equal(await sign(token, { list: "a", tags: ["vip"], form: "footer" }), 200);
    for (const forged of [{ consent: "hash" }, { consents: { terms: "hash" } }, { variant: "footer-1-b" }]) {
      assert.equal(await sign(token, forged), 400, JSON.stringify(forged));
    }
  }
});

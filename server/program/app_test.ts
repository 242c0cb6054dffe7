import assert from "node:assert/strict";
import { appWithoutFiles, harness } from "../../dev/testing/harness.ts";
import { startProgram } from "../../dev/testing/program.ts";
import { NAMESPACE } from "../../shared/contract.ts";

/** Tests what applies to every route: no-store, JSON, CORS and the path prefix (contract 1.2 to 1.5). */

const routes: [method: string, path: string, status: number][] = [
  ["POST", "/subscribe", 400],
  ["GET", "/subscribe", 405],
  ["PUT", "/subscribe", 405],
  ["OPTIONS", "/subscribe", 204],
  ["GET", "/form-token", 200],
  ["HEAD", "/form-token", 200],
  ["POST", "/form-token", 405],
  ["OPTIONS", "/form-token", 204],
  ["POST", "/provider-hook", 401],
  ["GET", "/provider-hook", 405],
  ["DELETE", "/provider-hook", 405],
  ["POST", "/cart-email", 403],
  ["GET", "/cart-email", 405],
  ["PUT", "/cart-email", 405],
  ["OPTIONS", "/cart-email", 204],
  ["GET", "/nothing", 404],
  ["POST", "/subscribe/", 404],
  ["GET", "/", 404],
  ["GET", "", 404],
  ["OPTIONS", "/nothing", 204],
];
for (const [method, path, status] of routes) {
  Deno.test(`${method} ${NAMESPACE}${path}: ${status}, no-store, and JSON if there is a body`, async () => {
    await using app = await harness({ settings: { general: { modules: { carts: true } } } });
    const response = await app.fetch(NAMESPACE + path, {
      method,
      headers: { origin: "https://shop.example" },
    });
    assert.equal(response.status, status);
    assert.equal(response.headers.get("cache-control"), "no-store");
    const body = await response.text();
    if (body !== "") assert.equal(typeof JSON.parse(body), "object");
    if (status === 405) {
      const allowed = path === "/form-token" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS";
      assert.deepEqual([response.headers.get("allow"), JSON.parse(body).code], [
        allowed,
        "method_not_allowed",
      ]);
    }
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
  });
}

Deno.test("the namespace has the five documented routes and no other", async () => {
  await using app = await harness({ settings: { general: { modules: { carts: true } } } });
  const paths = appWithoutFiles(app.services).routes
    .map(({ path }) => path).filter((path) => path.startsWith(`${NAMESPACE}/`) && !path.endsWith("/*"));
  assert.deepEqual(
    [...new Set(paths)].toSorted(),
    ["cart-email", "form-token", "provider-hook", "subscribe", "variant-seen"].map((name) =>
      `${NAMESPACE}/${name}`
    ),
  );
});

Deno.test("413, 429 and 503 have no-store and can be read by the page", async () => {
  await using app = await harness();
  const responses = [await app.post({ email: "x".repeat(5_000) })];
  for (let i = 0; i < 6; i++) responses[1] = await app.post({ email: "no" });
  app.services.policies.ip = () => assert.fail("boom");
  responses.push(await app.post({ email: "ada@example.com" }));
  assert.deepEqual(responses.map(({ status }) => status), [413, 429, 503]);
  for (const { headers } of responses) {
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.equal(headers.get("access-control-expose-headers"), "Retry-After");
  }
});

Deno.test("health, operator routes and unknown paths return JSON with no-store", async () => {
  await using app = await harness({ env: { CFBE_API_TOKEN: "a-token-for-operators" } });
  const authorization = "Bearer a-token-for-operators";
  for (
    const [path, headers, status, expected] of [
      ["/healthz", {}, 200, { ok: true, service: "cfbe" }],
      ["/ops/books", {}, 401, undefined],
      ["/ops/books", { authorization }, 200, undefined],
      ["/ops/nothing", { authorization }, 404, undefined],
      ["/no/such/page", {}, 404, {
        success: false,
        code: "not_found",
        message: "Not found.",
      }],
    ] as const
  ) {
    const response = await app.fetch(path, { headers });
    assert.deepEqual([response.status, response.headers.get("cache-control")], [status, "no-store"], path);
    const body = await response.json();
    if (expected) assert.deepEqual(body, expected);
  }
});

Deno.test("an unexpected error gets 503 with no-store, is logged, and reveals nothing", async () => {
  await using app = await harness();
  app.services.settings.current = () => assert.fail("ada@example.com, the-provider-key");
  const response = await app.fetch("/cfbe.json");
  assert.deepEqual([response.status, response.headers.get("cache-control")], [503, "no-store"]);
  assert.equal(response.headers.get("retry-after"), "1");
  assert.deepEqual(await response.json(), {
    success: false,
    code: "rejected",
    message: "That did not work. Please try again.",
  });
  assert.deepEqual(app.log.of("request.failed").map(({ fields }) => fields?.["path"]), ["/cfbe.json"]);
});

Deno.test("a preflight allows the widget's requests for two hours, without credentials", async () => {
  await using app = await harness();
  const headers = {
    origin: "https://shop.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type,x-wp-nonce,authorization",
  };
  const response = await app.fetch(`${NAMESPACE}/subscribe`, { method: "OPTIONS", headers });
  assert.equal(response.headers.get("access-control-allow-origin"), "*");
  assert.deepEqual(response.headers.get("access-control-allow-headers")?.toLowerCase().split(","), [
    "content-type",
    "x-wp-nonce",
  ]);
  assert.equal(response.headers.get("access-control-allow-methods"), "GET,POST,OPTIONS");
  assert.equal(response.headers.get("access-control-max-age"), "7200");
  assert.equal(response.headers.get("access-control-allow-credentials"), null);
  assert.match(response.headers.get("vary") ?? "", /\borigin\b/i);
});

Deno.test("only the configured origins are allowed", async () => {
  const origins = ["https://shop.example", "http://localhost:5173"];
  await using app = await harness({ settings: { general: { origins } } });
  const allowed = async (origin: string, method: string, path: string) => {
    const { headers } = await app.fetch(path, { method, headers: { origin } });
    assert.match(headers.get("vary") ?? "", /\borigin\b/i);
    return headers.get("access-control-allow-origin");
  };
  for (const path of [`${NAMESPACE}/subscribe`, `${NAMESPACE}/form-token`, "/cfbe.json?locale=en"]) {
    for (const method of path.startsWith("/cfbe.json") ? ["GET"] : ["GET", "OPTIONS"]) {
      for (const origin of origins) assert.equal(await allowed(origin, method, path), origin);
      for (
        const other of [
          "https://shop.example.evil",
          "https://a.shop.example",
          "http://shop.example",
          "null",
          "https://shop.example:444",
        ]
      ) assert.equal(await allowed(other, method, path), null, `${method} ${path} ${other}`);
    }
  }
});

Deno.test("every route is below the path of the base URL, and nowhere else", async () => {
  await using program = await startProgram({ prefix: "/news/letter" });
  const root = new URL(program.baseUrl).origin;
  const paths = [`${NAMESPACE}/form-token`, "/cfbe.js", "/cfbe.json", "/healthz", "/sandbox", "/demo"];
  for (const path of paths) {
    for (const [base, found] of [[program.baseUrl, true], [root, false]] as const) {
      const response = await fetch(base + path);
      await response.body?.cancel();
      assert.equal(response.ok, found, base + path);
    }
  }
  const counters = await fetch(`${program.baseUrl}/ops/books`);
  assert.deepEqual([counters.status, typeof await counters.text()], [401, "string"]);
  const response = await program.subscribe({ email: "ada@example.com" });
  assert.deepEqual([response.status, (await response.json()).code], [200, "pending"]);
});

Deno.test("the base URL redirects to the demo with the sandbox provider, and otherwise to the admin", async () => {
  for (const prefix of ["", "/news/letter"]) {
    for (const [env, path] of [[{}, "/demo"], [{ CFBE_PROVIDER: "bluefox" }, "/admin"]] as const) {
      await using program = await startProgram({ prefix, env });
      for (const slash of ["", "/"]) {
        const response = await fetch(program.baseUrl + slash, { redirect: "manual" });
        await response.body?.cancel();
        assert.equal(response.status, 302);
        assert.equal(response.headers.get("location"), prefix + path);
        assert.equal(response.headers.get("cache-control"), "no-store");
        const landing = await fetch(new URL(prefix + path, program.baseUrl));
        await landing.body?.cancel();
        assert.match(landing.headers.get("content-type") ?? "", /^text\/html/);
      }
    }
  }
});

Deno.test("all routes fit into Hono's fast router, which matches a path with one regular expression", async () => {
  await using program = await startProgram();
  const app = await program.createApp();
  assert.equal((await app.request("/healthz")).status, 200);
  assert.equal(app.router.name, "SmartRouter + RegExpRouter");
});

Deno.test("a request's ID is always generated here, whatever the client sends", async () => {
  await using app = await harness();
  const response = await app.fetch("/healthz", { headers: { "x-request-id": "chosen-by-a-client" } });
  await response.body?.cancel();
  assert.match(response.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
});

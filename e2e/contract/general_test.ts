/** Chapter 1 of the contract, from outside: every response, the routes, and pages on other origins. */
import assert from "node:assert/strict";
import { sendRaw } from "./raw.ts";
import { ANY_IP, anyEmail, anyIp, send, start, statements, until, visible } from "./service.ts";

const { anywhere, here } = statements();

const SHOP = "https://shop.example";
const shop = start({
  path: "/news",
  config: `{ settings: { ${ANY_IP}, general: { origins: ["${SHOP}"], modules: { carts: true } } } }`,
});

/** The routes that every service has, with the method of each. */
const ROUTES = { subscribe: "POST", "form-token": "GET", "provider-hook": "POST", "variant-seen": "POST" };

anywhere(
  "the namespace has the routes of the contract, and every other path below it is 404",
  async (service) => {
    for (const route of Object.keys(ROUTES)) {
      const { status } = await service.call(route, { method: "DELETE" });
      assert.equal(status, 405, route);
    }
    const others = [
      "",
      "nothing",
      "subscribe/",
      "subscribe/1",
      "Form-Token",
      "form-token.json",
      "cart-email/x",
    ];
    for (const path of others) {
      for (const method of ["GET", "POST", "PUT", "DELETE"]) {
        const { status, json } = await service.call(path, { method });
        assert.equal(status, 404, `${method} ${path}`);
        assert.deepEqual(Object.keys(json), ["success", "code", "message"]);
        assert.equal(json.code, "not_found");
      }
    }
  },
);

anywhere("a wrong method gets 405, and Allow names the right one", async (service) => {
  for (const [route, right] of Object.entries(ROUTES)) {
    for (const method of ["PUT", "PATCH", "DELETE", right === "GET" ? "POST" : "GET"]) {
      const { status, headers, json } = await service.call(route, { method });
      // Some providers probe the webhook's URL before they call it.
      if (route === "provider-hook" && method === "GET" && status === 200) continue;
      assert.deepEqual([status, json.code], [405, "method_not_allowed"], `${method} ${route}`);
      assert.ok(headers.get("allow")!.split(", ").includes(right), `${method} ${route}`);
    }
  }
});

anywhere("v1 is the only version", async (service) => {
  for (const version of ["", "v0/", "v2/"]) {
    const { status } = await service.visit(`/wp-json/cfbe/${version}form-token`);
    assert.equal(status, 404, version);
  }
});

anywhere(
  "every response is JSON and must not be stored: 200, 204, 400, 401, 404, 405 and 413",
  async (service) => {
    const large = "x".repeat(5_000);
    const calls = [
      [200, "form-token", {}],
      [204, "subscribe", { method: "OPTIONS", headers: { "access-control-request-method": "POST" } }],
      [400, "subscribe", { body: "{" }],
      [401, "provider-hook", { json: {} }],
      [404, "nothing", {}],
      [405, "form-token", { method: "PUT" }],
      [413, "subscribe", { body: large }],
      [413, "variant-seen", { body: large }],
    ] as const;
    for (const [expected, route, call] of calls) {
      const { status, headers, json } = await service.call(route, call);
      assert.equal(status, expected, route);
      assert.equal(headers.get("cache-control"), "no-store");
      assert.equal(json === undefined, status === 204, route);
    }
  },
);

here(
  "a request with an expectation that nobody knows is answered as JSON",
  "needs a connection without a proxy",
  async ({ program }) => {
    const { status, json } = await sendRaw(
      program.port,
      ["POST /wp-json/cfbe/v1/subscribe HTTP/1.1", "Expect: tea", "Content-Length: 2"],
      "[]",
    );
    assert.ok(status >= 400, `${status}`);
    assert.ok(json);
  },
);

here(
  "every route is below the path of the base URL, and nowhere else",
  "needs its own settings",
  async () => {
    const { baseUrl } = shop();
    assert.ok(baseUrl.endsWith("/news"));
    const { status, json } = await shop().call("form-token");
    assert.equal(status, 200);
    assert.ok(json.token);
    for (
      const path of ["/wp-json/cfbe/v1/form-token", "/healthz", "/openapi.json", "/cfbe.js", "/newswp-json/"]
    ) {
      const answer = await send(baseUrl.replace("/news", "") + path);
      assert.equal(answer.status, 404, path);
      assert.equal(answer.headers.get("cache-control"), "no-store");
    }
  },
);

here("without allowed origins, any page may read a response", "needs its own settings", async (service) => {
  for (const call of [{}, { headers: { origin: "https://any.example" } }, { method: "PUT" }]) {
    const { headers } = await service.call("form-token", call);
    assert.equal(headers.get("access-control-allow-origin"), "*");
  }
});

here(
  "with allowed origins, only their pages may read a response, errors included",
  "needs its own settings",
  async () => {
    const origins = [
      SHOP,
      "https://shop.example.evil.example",
      "http://shop.example",
      "https://other.example",
      "null",
    ];
    for (const route of ["form-token", "nothing", "subscribe", "provider-hook"]) {
      for (const origin of origins) {
        const { headers } = await shop().call(route, { headers: { origin } });
        assert.equal(
          headers.get("access-control-allow-origin"),
          origin === SHOP ? SHOP : null,
          `${route} ${origin}`,
        );
        assert.match(headers.get("vary")!, /\bOrigin\b/);
      }
    }
  },
);

anywhere("a preflight allows what a page sends, and no response allows credentials", async (service) => {
  const origin = new URL(service.baseUrl).origin;
  const headers = {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type",
  };
  for (const route of [...Object.keys(ROUTES), "nothing"]) {
    const preflight = await service.call(route, { method: "OPTIONS", headers });
    assert.equal(preflight.status, 204, route);
    assert.match(preflight.headers.get("access-control-allow-methods")!, /\bGET\b.*\bPOST\b/);
    assert.match(preflight.headers.get("access-control-allow-headers")!, /\bcontent-type\b.*\bx-wp-nonce\b/);
    const { headers: answered } = await service.call(route, { headers: { origin } });
    for (const each of [preflight.headers, answered]) {
      assert.equal(each.get("access-control-allow-credentials"), null, route);
    }
  }
});

here(
  "a signup from a page on another origin gets the success response and is not stored",
  "needs its own settings",
  async () => {
    const [foreign, own] = [anyEmail(), anyEmail()];
    const ip = anyIp();
    const answers = [];
    for (let count = 0; count < 6; count++) {
      answers.push(
        await shop().signUp({ email: foreign }, { ip, headers: { origin: "https://other.example" } }),
      );
    }
    const accepted = await shop().signUp({ email: own }, { ip, headers: { origin: SHOP } });
    // It counted toward no limit, or this one would be the seventh from its IP.
    assert.equal(accepted.status, 200);
    for (const { status, text } of answers) assert.deepEqual([status, text], [200, accepted.text]);
    await until("the accepted signup is delivered", async () => (await shop().mails(own)).length > 0);
    assert.deepEqual(await shop().status(foreign), []);
  },
);

here(
  "a cart email from a page on another origin gets a success and counts toward no limit",
  "needs its own settings",
  async () => {
    const { json: { nonce } } = await shop().visit("/checkout-session");
    const [ip, email] = [anyIp(), anyEmail()];
    const type = (origin: string) =>
      shop().call("cart-email", { ip, json: { email }, headers: { "x-wp-nonce": nonce, origin } });
    const dropped = await Promise.all(Array.from({ length: 21 }, () => type("https://other.example")));
    for (const { status, text } of [...dropped, await type(SHOP)]) {
      assert.deepEqual([status, text], [200, '{"stored":true}']);
    }
  },
);

here(
  "while the module is off, cart-email is 404 for every method",
  "needs its own settings",
  async (service) => {
    for (const method of ["GET", "POST", "PUT"]) {
      const { status, json } = await service.call("cart-email", { method });
      assert.deepEqual([status, json.code], [404, "not_found"], method);
    }
    assert.equal((await service.visit("/checkout-session")).status, 404);
  },
);

anywhere("openapi.json is an OpenAPI 3.1 document that describes the five routes", async (service) => {
  const { status, json } = await service.visit("/openapi.json");
  assert.equal(status, 200);
  assert.match(json.openapi, /^3\.1\./);
  const described = Object.keys(json.paths).filter((path) => path.startsWith("/wp-json/cfbe/v1/"));
  const routes = [...Object.keys(ROUTES), "cart-email"].map((route) => `/wp-json/cfbe/v1/${route}`);
  assert.deepEqual(described.sort(), routes.sort());
});

anywhere("openapi.json declares the status of every response seen here", async (service) => {
  const { json } = await service.visit("/openapi.json");
  const calls = [
    ["form-token", "get", {}],
    ["subscribe", "post", { json: { source: "shortcode" } }],
    ["subscribe", "post", { json: { source: "tea" } }],
    ["subscribe", "post", { body: "x".repeat(5_000) }],
    ["provider-hook", "post", { json: {} }],
    ["variant-seen", "post", { body: "x" }],
    ["variant-seen", "post", { body: "x".repeat(5_000) }],
  ] as const;
  for (const [route, method, call] of calls) {
    const { status, headers } = await service.call(route, call);
    const declared = json.paths[`/wp-json/cfbe/v1/${route}`][method].responses[status];
    assert.ok(declared, `${route} ${status}`);
    if (status !== 204) {
      assert.ok(declared.content[headers.get("content-type")!.split(";")[0]!], `${route} ${status}`);
    }
  }
});

anywhere("readyz says whether the service is ready, as JSON that is not stored", async (service) => {
  const { status, headers, json } = await service.visit("/readyz");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(json.ok, status === 200);
  assert.deepEqual([status, json.database], [200, true]);
});

anywhere("two responses to the same request differ in nothing that tells visitors apart", async (service) => {
  const [one, two] = [await service.call("nothing"), await service.call("nothing")];
  assert.deepEqual(visible(one), visible(two));
  const ids = [one, two].map(({ headers }) => headers.get("x-request-id"));
  assert.notEqual(ids[0], ids[1]);
});

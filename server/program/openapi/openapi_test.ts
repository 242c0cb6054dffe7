import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { openApiDocument } from "./document.ts";
import { type Checkout, startCheckout } from "../../shops/systems/testing/checkout.ts";
import { NAMESPACE } from "../../../shared/contract.ts";

type Document = ReturnType<typeof openApiDocument>;

/** A request to the API, and the expected status. */
interface Call {
  status: number;
  path: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: unknown;
  /** Number of requests until this status; 1 by default. */
  times?: number;
}

const TOKEN = "a-token-for-integrations";
const KEY = { authorization: "Bearer the-provider-key" };
const subscribe = `${NAMESPACE}/subscribe`;
const variantSeen = `${NAMESPACE}/variant-seen`;
const hook = `${NAMESPACE}/provider-hook`;
const cartEmail = `${NAMESPACE}/cart-email`;
const order = "/shop-hook/generic";
const integration = "/integrations/signup";
const bearer = { authorization: `Bearer ${TOKEN}` };
const cart = { items: [], total: 0, currency: "EUR", url: "https://shop.example/cart" };
const tooLong = { padding: "x".repeat(70_000) };

/** Returns requests for every response that the document declares. Those that exceed an IP's limits come last. */
function calls(signup: object, nonce: Record<string, string>, readOnly: string): Call[] {
  return [
    { path: subscribe, status: 200, body: { ...signup, email: "ann@example.com" } },
    { path: subscribe, status: 400, body: { ...signup, email: "nobody" } },
    { path: subscribe, status: 413, body: tooLong },
    { path: `${NAMESPACE}/form-token`, method: "GET", status: 200 },
    { path: variantSeen, status: 204, body: "signed" },
    { path: variantSeen, status: 413, body: tooLong },
    { path: hook, status: 200, headers: KEY, body: { type: "open" } },
    { path: hook, status: 400, headers: KEY, body: { automationId: "a", contact: {} } },
    { path: hook, status: 401, body: {} },
    { path: hook, status: 413, headers: KEY, body: tooLong },
    { path: "/checkout-session", method: "GET", status: 200 },
    { path: cartEmail, status: 200, headers: nonce, body: { email: "ann@example.com" } },
    { path: cartEmail, status: 403, body: {} },
    { path: cartEmail, status: 413, headers: nonce, body: tooLong },
    { path: "/cart", status: 200, headers: nonce, body: cart },
    { path: "/cart", status: 400, headers: nonce, body: { ...cart, url: "javascript:alert(1)" } },
    { path: "/cart", status: 403, body: cart },
    { path: "/cart", status: 413, headers: nonce, body: tooLong },
    { path: integration, status: 200, headers: bearer, body: { source: "account", email: "bo@example.com" } },
    { path: integration, status: 400, headers: bearer, body: { source: "account", email: "nobody" } },
    { path: integration, status: 401, body: {} },
    { path: integration, status: 403, headers: { authorization: `Bearer ${readOnly}` }, body: {} },
    { path: integration, status: 413, headers: bearer, body: tooLong },
    { path: subscribe, status: 429, body: signup, times: 6 },
    { path: variantSeen, status: 429, body: "signed", times: 61 },
    { path: cartEmail, status: 429, headers: nonce, body: {}, times: 21 },
    { path: "/cart", status: 429, headers: nonce, body: {}, times: 121 },
    { path: hook, status: 429, headers: KEY, body: {}, times: 61 },
    { path: integration, status: 429, headers: bearer, body: {}, times: 301 },
  ];
}

async function startService(): Promise<Checkout & { document: Document }> {
  const checkout = await startCheckout({ general: { projectId: "p", apiKey: "the-provider-key" } }, "/news", {
    CFBE_API_TOKEN: TOKEN,
  });
  const response = await fetch(`${checkout.program.baseUrl}/openapi.json`);
  assert.equal(response.status, 200);
  return Object.assign(checkout, { document: await response.json() as Document });
}

Deno.test("the document is valid OpenAPI 3.1 and contains the public URL with its path", async () => {
  await using service = await startService();
  const { valid, errors } = await new Validator().validate({ ...service.document });
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(service.document.servers?.[0]?.url, service.program.baseUrl);
});

Deno.test("every response that the document declares can occur and matches its schema", async () => {
  await using service = await startService();
  const { document, program } = service;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "interface");
  const seen = new Set<string>();

  /** Checks a response against the document's schema for its path, method and status. */
  async function check({ path, method = "POST", status }: Call, response: Response) {
    const what = `${method} ${path} ${status}`;
    const text = await response.text();
    assert.equal(response.status, status, `${what}: ${text}`);
    assert.equal(response.headers.get("cache-control"), "no-store", what);
    seen.add(what);
    if (status === 204) return assert.equal(text, "", what);
    const body = JSON.parse(text);
    const pointer = [
      "paths",
      path,
      method.toLowerCase(),
      "responses",
      `${status}`,
      "content",
      "application/json",
    ]
      .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    const validate = ajv.compile({ $ref: `interface#/${pointer}/schema` });
    assert.ok(validate(body), `${what}: ${JSON.stringify(body)} ${ajv.errorsText(validate.errors)}`);
    if (status === 429) assert.match(response.headers.get("retry-after") ?? "", /^\d+$/, what);
  }

  async function make(call: Call): Promise<Response> {
    const { path, method = "POST", headers = {}, body } = call;
    return await fetch(program.baseUrl + path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(method === "POST" && { body: JSON.stringify(body) }),
    });
  }

  const { nonce } = await service.session();
  const headers = { "x-wp-nonce": nonce };
  const signup = { source: "block", cfbe_token: program.token() };

  // These requests have to be signed.
  const orderBody = { id: "1", status: "processing", email: "shopper@example.com", total: 1 };
  await check({ path: order, status: 200 }, await service.order(orderBody));
  await check({ path: order, status: 400 }, await service.order({ total: "much" }));
  await check({ path: order, status: 401 }, await service.order(orderBody, { signature: "sha256=00" }));
  await check({ path: "/cart", status: 401 }, await service.signedCart(cart, { signature: "sha256=00" }));
  await check({ path: order, status: 413 }, await service.order(tooLong));

  const ordered = await service.session();
  await (await service.order({ ...orderBody, id: "2", session: ordered.session })).body?.cancel();
  await check({ path: "/cart", status: 409 }, await service.cart(cart, ordered.nonce));

  const readOnly = await program.services.apiTokens.add({ name: "agent", scopes: ["read"], by: "ann" });
  assert.ok(typeof readOnly === "object");
  for (const call of calls(signup, headers, readOnly.token)) {
    for (let before = 1; before < (call.times ?? 1); before++) await (await make(call)).body?.cancel();
    await check(call, await make(call));
  }
  await check({ path: order, status: 429 }, await service.order(orderBody));

  program.services.clientIp = () => Promise.reject(new Error("out of order"));
  for (const path of [subscribe, variantSeen, hook, cartEmail, "/cart", integration, order]) {
    await check({ path, status: 503 }, await make({ path, status: 503, headers, body: signup }));
  }
  program.services.settings.current().general.modules.carts = false;
  for (
    const [method, path] of [["POST", cartEmail], ["POST", "/cart"], ["GET", "/checkout-session"]] as const
  ) {
    const call = { method, path, status: 404 };
    await check(call, await make({ ...call, body: {} }));
  }

  const declared = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    (["get", "post"] as const).flatMap((method) =>
      Object.keys(item[method]?.responses ?? {}).map((status) => `${method.toUpperCase()} ${path} ${status}`)
    )
  );
  assert.deepEqual([...seen].sort(), declared.sort());
});

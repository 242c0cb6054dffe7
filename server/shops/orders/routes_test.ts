import assert from "node:assert/strict";
import { harness } from "../../../dev/testing/harness.ts";

/** All routes of carts and shops: no-store, allowed methods, and CORS for routes that pages call. */

const PAGE = "readable by pages";
const routes: [method: string, path: string, status: number, allow?: string, readable?: string][] = [
  ["GET", "/checkout-session", 200, , PAGE],
  ["POST", "/checkout-session", 405, "GET, HEAD, OPTIONS", PAGE],
  ["OPTIONS", "/checkout-session", 204, , PAGE],
  ["POST", "/cart", 403, , PAGE],
  ["GET", "/cart", 405, "POST, OPTIONS", PAGE],
  ["OPTIONS", "/cart", 204, , PAGE],
  ["GET", "/cart/nonsense/items", 404, , PAGE],
  ["GET", "/cart/nonsense", 404],
  ["GET", "/cart-stop/nonsense", 404],
  ["POST", "/cart-stop/nonsense", 404],
  ["POST", "/shop-hook/generic", 401],
  ["GET", "/shop-hook/generic", 405, "POST, OPTIONS"],
  ["POST", "/integrations/signup", 401],
  ["GET", "/integrations/signup", 405, "POST, OPTIONS"],
];
for (const [method, path, status, allow, readable] of routes) {
  Deno.test(`${method} ${path}: ${status}, no-store${readable ? `, ${readable}` : ""}`, async () => {
    await using app = await harness({ settings: { general: { modules: { carts: true } } } });
    const response = await app.fetch(path, { method, headers: { origin: "https://shop.example" } });
    await response.body?.cancel();
    assert.deepEqual([response.status, response.headers.get("cache-control")], [status, "no-store"]);
    assert.equal(response.headers.get("allow"), allow ?? null);
    assert.equal(response.headers.get("access-control-allow-origin"), readable ? "*" : null);
  });
}

Deno.test("the schemas of an order and a coupon request are public and cacheable", async () => {
  await using app = await harness();
  for (const name of ["schema", "coupon.schema"]) {
    const response = await app.fetch(`/shop-hook/generic/${name}.json`);
    assert.deepEqual([response.status, response.headers.get("cache-control")], [200, "public, max-age=3600"]);
    assert.equal((await response.json()).type, "object");
  }
});

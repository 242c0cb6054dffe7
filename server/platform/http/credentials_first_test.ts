import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { NAMESPACE } from "../../../shared/contract.ts";

/** Every route that requires credentials, with its response status without them. */
const ROUTES: [path: string, status: number][] = [
  [`${NAMESPACE}/provider-hook`, 401],
  [`${NAMESPACE}/cart-email`, 403],
  ["/cart", 403],
  ["/integrations/signup", 401],
  ["/ops/status", 401],
  ["/ops/poll", 401],
  ["/admin/ajax", 401],
  ["/admin/subscribers", 401],
];

const CHUNK_BYTES = 1024;

/** Returns an endless body, and how many bytes of it were read. */
function countedBody() {
  let chunks = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      chunks++;
      controller.enqueue(new Uint8Array(CHUNK_BYTES).fill(32));
    },
  }, { highWaterMark: 0 });
  return { stream, bytes: () => chunks * CHUNK_BYTES };
}

const carts = { settings: { general: { modules: { carts: true } } } };
const headers = { origin: "http://localhost:8000", "content-type": "application/json" };

for (const [path, status] of ROUTES) {
  Deno.test(`without credentials, POST ${path} reads nothing of the body`, async () => {
    await using app = await adminHarness(carts);
    const body = countedBody();
    const response = await app.fetch(path, { method: "POST", headers, body: body.stream });
    await response.body?.cancel();
    assert.deepEqual([response.status, body.bytes()], [status, 0]);
  });
}

Deno.test("a shop's webhook, whose signature covers the body, is read up to its limit and no further", async () => {
  await using app = await adminHarness();
  const shop = app.services.shop();
  const body = countedBody();
  const response = await app.fetch(`/shop-hook/${shop.name}`, { method: "POST", headers, body: body.stream });
  await response.body?.cancel();
  assert.equal(response.status, 413);
  assert.ok(body.bytes() <= shop.bodyBytes + CHUNK_BYTES, `${body.bytes()} of ${shop.bodyBytes}`);
});

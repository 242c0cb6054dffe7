import assert from "node:assert/strict";
import type { EmailResult } from "../../providers/port/port.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";

const ADA = "ada@example.com";
const HOUR_MS = 60 * 60 * 1000;
const FOUND: EmailResult = { kind: "found", email: ADA };

/** A pending signup whose person has confirmed, at a provider whose webhooks contain only the ID. */
async function confirmed(...results: EmailResult[]): Promise<Harness> {
  const app = await harness();
  app.provider.readWebhook = () =>
    Promise.resolve({
      kind: "read",
      type: "confirmed",
      payload: {},
      events: [{ kind: "unnamed", id: "sub_1", list: LIST, change: "active" }],
    });
  app.provider.emailOf = ({ id, list }) => {
    assert.deepEqual([id, list], ["sub_1", LIST]);
    return Promise.resolve(results.shift() ?? { kind: "absent" });
  };
  await (await app.post({ email: ADA })).body?.cancel();
  await app.work();
  app.provider.put(LIST, ADA, "active");
  return app;
}

/** Sends the call, and returns its response and the signup's status. */
async function call(app: Harness): Promise<[response: unknown, status: string | undefined]> {
  const response = await (await app.hook({})).json();
  await app.work();
  return [response, (await app.record(ADA))?.status];
}

Deno.test("a webhook that names a person only by ID is read as if it contained their address", async () => {
  await using app = await confirmed(FOUND);
  assert.deepEqual(await call(app), [{ ok: true, action: "queued" }, "active"]);
  assert.equal((await app.record(ADA))!.confirmed?.by, "webhook");
});

Deno.test("while the provider is down, the person is looked up later", async () => {
  await using app = await confirmed(stubTrouble(), FOUND);
  assert.deepEqual((await call(app))[1], "pending");
  await app.clock.advance(HOUR_MS);
  await app.work();
  assert.equal((await app.record(ADA))!.status, "active");
});

Deno.test("repeated calls about one person look them up once, and an unknown ID changes nothing", async () => {
  await using app = await confirmed();
  for (let i = 0; i < 3; i++) await (await app.hook({})).body?.cancel();
  assert.equal((await app.queue.list({ state: "waiting" })).rows.length, 1);
  assert.equal((await call(app))[1], "pending");
  assert.deepEqual((await app.queue.list({ state: "dead" })).rows, []);
});

Deno.test("while cfbe is deactivated, the person waits to be looked up", async () => {
  await using app = await confirmed(FOUND);
  await app.services.activation.deactivate();
  assert.equal((await call(app))[1], "pending");
  await app.services.activation.activate();
  await app.work();
  assert.equal((await app.record(ADA))!.status, "active");
});

import assert from "node:assert/strict";
import { connectionOf } from "./connection_state.ts";

const FAILED = { v: 1, at: 100, settings: "", reason: "HTTP 403", isCurrent: true } as const;
const deliveredAt = (okAt: number) => ({ subscribe: { okAt, okFrom: "kit" } });

Deno.test("a connection that failed once works again as soon as a delivery succeeds", () => {
  const stateAfter = (health: ReturnType<typeof deliveredAt> | undefined) =>
    connectionOf("kit", FAILED, health).state;
  assert.equal(stateAfter(undefined), "failed");
  assert.equal(stateAfter(deliveredAt(50)), "failed");
  assert.equal(stateAfter(deliveredAt(200)), "works");
});

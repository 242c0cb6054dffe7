import assert from "node:assert/strict";
import { isSending, SEND_WINDOW_MS } from "./sending.ts";

const AT = Date.UTC(2025, 0, 1);

Deno.test("an attempt is sending until it has a result or its time is over", () => {
  assert.equal(isSending({ at: AT, state: "sending" }, AT + SEND_WINDOW_MS - 1), true);
  assert.equal(isSending({ at: AT, state: "sending" }, AT + SEND_WINDOW_MS), false);
  for (const state of ["sent", "refused", "unknown"] as const) {
    assert.equal(isSending({ at: AT, state }, AT), false);
  }
  assert.equal(isSending({ at: AT, state: "sending" }, AT - 24 * 3_600_000), false, "the clock was ahead");
  assert.equal(isSending(null, AT), false);
});

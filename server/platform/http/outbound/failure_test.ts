import assert from "node:assert/strict";
import { codeOfStatus, failureOf } from "./failure.ts";

Deno.test("a request without a complete response may have taken effect, unless it was not sent", () => {
  const detail = "no response within 10 ms";
  const failures = [
    failureOf({ kind: "unsent", cause: "no connection", detail }, "the shop"),
    failureOf({ kind: "unsent", cause: "cancelled", detail }, "the shop"),
    failureOf({ kind: "unclear", cause: "cancelled", detail }, "the shop"),
    failureOf({ kind: "unclear", cause: "timeout", detail }, "the shop"),
    failureOf({ kind: "unclear", cause: "broken", detail }, "the shop"),
  ];
  assert.deepEqual(failures, [
    { code: "no_connection", reason: "no connection to the shop", unknown: false },
    { code: "cancelled", reason: "the caller stopped waiting", unknown: false },
    { code: "cancelled", reason: "the caller stopped waiting", unknown: true },
    { code: "timeout", reason: detail, unknown: true },
    { code: "broken", reason: "the connection broke", unknown: true },
  ]);
});

Deno.test("every HTTP status that is no success has the code of what to do about it", () => {
  const codes = {
    forbidden: [401, 403],
    not_found: [404, 410],
    unavailable: [408, 500, 502, 503, 599],
    rate_limited: [429],
    unexpected: [300, 304, 400, 402, 405, 407, 409, 422, 428, 430, 499],
  };
  for (const [code, statuses] of Object.entries(codes)) {
    for (const status of statuses) assert.equal(codeOfStatus(status), code, String(status));
  }
});

import assert from "node:assert/strict";
import type { BluefoxResponse } from "./http.ts";
import { forbiddenCauses, listStatusOf, resendResult, statusResult, subscribeResult } from "./results.ts";
import { CREDITS, error, result, short } from "./testing/responses.ts";

const TABLE: { response: BluefoxResponse; subscribe: string; status: string; resend: string }[] = [
  { response: result({ status: "active" }), subscribe: "accepted", status: "found", resend: "sent" },
  { response: result({}), subscribe: "accepted", status: "trouble known", resend: "sent" },
  {
    response: error(400, "Email already exists."),
    subscribe: "exists",
    status: "trouble known",
    resend: "refused",
  },
  { response: error(400, "email: bad"), subscribe: "refused", status: "trouble known", resend: "refused" },
  { response: error(400, ""), subscribe: "refused", status: "trouble known", resend: "refused" },
  {
    response: error(405, "Flagged for bouncing."),
    subscribe: "suppressed",
    status: "trouble known",
    resend: "suppressed",
  },
  {
    response: error(405, "Contact has reached the bounce limit."),
    subscribe: "suppressed",
    status: "trouble known",
    resend: "suppressed",
  },
  { response: error(405, ""), subscribe: "suppressed", status: "trouble known", resend: "suppressed" },
  // The HTTP status decides: a 405 is a rejection even without the provider's JSON (contract 6.5).
  { response: error(405), subscribe: "suppressed", status: "trouble known", resend: "suppressed" },
  {
    response: error(405, CREDITS),
    subscribe: "trouble known",
    status: "trouble known",
    resend: "trouble known",
  },
  {
    response: error(405, "Sandbox daily send cap exceeded"),
    subscribe: "trouble known",
    status: "trouble known",
    resend: "trouble known",
  },
  {
    response: error(405, "This project is restricted."),
    subscribe: "trouble known",
    status: "trouble known",
    resend: "trouble known",
  },
  {
    response: error(404, "Subscriber not found"),
    subscribe: "trouble known",
    status: "absent",
    resend: "trouble known",
  },
  {
    response: error(404, "Subscriber list not found"),
    subscribe: "trouble known",
    status: "trouble known",
    resend: "trouble known",
  },
  { response: error(401, "x"), subscribe: "trouble known", status: "trouble known", resend: "trouble known" },
  { response: error(403, "x"), subscribe: "trouble known", status: "trouble known", resend: "trouble known" },
  { response: error(403), subscribe: "trouble known", status: "trouble known", resend: "trouble known" },
  { response: error(429), subscribe: "trouble known", status: "trouble known", resend: "trouble known" },
  { response: error(302), subscribe: "trouble known", status: "trouble known", resend: "trouble known" },
  {
    response: error(500, "x"),
    subscribe: "trouble unknown",
    status: "trouble known",
    resend: "trouble unknown",
  },
  { response: error(503), subscribe: "trouble unknown", status: "trouble known", resend: "trouble unknown" },
  // Without the provider's JSON, the response is from a proxy, and the call may have taken effect.
  { response: error(400), subscribe: "trouble unknown", status: "trouble known", resend: "trouble unknown" },
  { response: error(404), subscribe: "trouble unknown", status: "trouble known", resend: "trouble unknown" },
  {
    response: { kind: "failed", code: "broken", reason: "no response", unknown: true },
    subscribe: "trouble unknown",
    status: "trouble known",
    resend: "trouble unknown",
  },
  {
    response: { kind: "failed", code: "not_configured", reason: "no key", unknown: false },
    subscribe: "trouble known",
    status: "trouble known",
    resend: "trouble known",
  },
];

Deno.test("every response has the result that the notes on the provider define", () => {
  for (const { response, ...expected } of TABLE) {
    const outcomes = {
      subscribe: short(subscribeResult(response)),
      status: short(statusResult(response)),
      resend: short(resendResult(response)),
    };
    assert.deepEqual(outcomes, expected, JSON.stringify(response));
  }
});

Deno.test("only the status unverified in the response to a subscribe replaces the read of the status", () => {
  const pending = { kind: "accepted", isPending: true };
  assert.deepEqual(subscribeResult(result({ email: "ada@example.com", status: "unverified" })), pending);
  for (const status of ["active", "unsubscribed", "paused", "pending", "", undefined, 1, null]) {
    assert.deepEqual(subscribeResult(result({ status })), { kind: "accepted" }, `${status}`);
  }
  for (const other of [null, "unverified", [], { success: true }]) {
    assert.deepEqual(subscribeResult(result(other)), { kind: "accepted" }, Deno.inspect(other));
  }
});

Deno.test("a 405 whose message is about bounces means bounced, and every other 405 suppressed", () => {
  const bounced = (message?: string) => {
    const outcome = subscribeResult(error(405, message));
    return outcome.kind === "suppressed" ? outcome.bounced ?? false : outcome.kind;
  };
  assert.equal(bounced("This email address has been flagged for bouncing."), true);
  assert.equal(bounced("Contact has reached the bounce limit."), true);
  assert.equal(bounced("Address bounced"), true);
  assert.equal(bounced("This email address is on the suppression list."), false);
  assert.equal(bounced("Unbounced offers only"), false);
  assert.equal(bounced(""), false);
  assert.equal(bounced(undefined), false);
  assert.equal(bounced(CREDITS), "trouble");
});

Deno.test("every status of the provider has a list status, and an unknown status is trouble", () => {
  const words = {
    unverified: "pending",
    active: "active",
    unsubscribed: "unsubscribed",
    paused: "paused",
    bounced: "bounced",
    suppressed: "suppressed",
  };
  for (const [word, status] of Object.entries(words)) {
    assert.deepEqual(statusResult(result({ status: word })), { kind: "found", status });
  }
  for (const word of ["", "Active", "constructor", "toString", "gone\nforever"]) {
    assert.equal(listStatusOf(word), undefined);
    assert.equal(statusResult(result({ status: word })).kind, "trouble", word);
  }
});

Deno.test("the reason of a 403 names all three causes", () => {
  const outcome = subscribeResult(error(403, "Forbidden"));
  assert.ok(outcome.kind === "trouble");
  for (const cause of [/key is wrong/, /another project/, /allowlist/]) assert.match(outcome.reason, cause);
});

Deno.test("a cause in the message of a 403 is also returned as a code", () => {
  const table: [message: string, causes: string[]][] = [
    ["", []],
    ["Missing or invalid API key.", []],
    ["Your IP is not allowed", ["allowlist"]],
    ["This domain is not on the whitelist.", ["allowlist"]],
    ["Project disabled", ["restricted"]],
    ["Project suspended for this domain", ["restricted", "allowlist"]],
  ];
  for (const [message, causes] of table) assert.deepEqual(forbiddenCauses(message), causes, message);
});

Deno.test("the code of every trouble is its cause", () => {
  const table: [BluefoxResponse, string][] = [
    [error(401, "x"), "forbidden"],
    [error(403), "forbidden"],
    [error(404, "Subscriber list not found"), "not_found"],
    [error(405, CREDITS), "account"],
    [error(405, "This project is restricted."), "account"],
    [error(429), "rate_limited"],
    [error(500, "x"), "unavailable"],
    [error(503), "unavailable"],
    [error(302), "unexpected"],
    [{ kind: "failed", code: "timeout", reason: "no response", unknown: true }, "timeout"],
    [{ kind: "failed", code: "invalid_key", reason: "no key", unknown: false }, "invalid_key"],
  ];
  for (const [response, code] of table) {
    const outcome = subscribeResult(response);
    assert.equal(outcome.kind === "trouble" && outcome.code, code, JSON.stringify(response));
  }
});

Deno.test("the provider's Retry-After is passed on", () => {
  for (
    const response of [{ ...error(429), retryAfterMs: 7000 }, { ...error(405, CREDITS), retryAfterMs: 7000 }]
  ) {
    const outcome = subscribeResult(response as BluefoxResponse);
    assert.ok(outcome.kind === "trouble");
    assert.equal(outcome.retryAfterMs, 7000);
  }
});

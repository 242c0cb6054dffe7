import assert from "node:assert/strict";
import type { Answer } from "./http.ts";
import {
  contactMeaning,
  forbiddenCauses,
  mailMeaning,
  resendMeaning,
  saveContactMeaning,
  statusMeaning,
  statusOf,
  subscribeMeaning,
} from "./meaning.ts";

const error = (status: number, message?: string): Answer =>
  message === undefined ? { kind: "error", status } : { kind: "error", status, message };
const result = (value: unknown): Answer => ({ kind: "result", status: 200, result: value });

/** Kind, and for trouble whether the call may have taken effect. */
function short(meaning: { kind: string; unknown?: boolean }): string {
  return meaning.kind === "trouble" ? `trouble ${meaning.unknown ? "unknown" : "known"}` : meaning.kind;
}

const CREDITS = "Insufficient credits available.";

const TABLE: { answer: Answer; subscribe: string; status: string; resend: string }[] = [
  { answer: result({ status: "active" }), subscribe: "accepted", status: "found", resend: "sent" },
  { answer: result({}), subscribe: "accepted", status: "trouble known", resend: "sent" },
  {
    answer: error(400, "Email already exists."),
    subscribe: "exists",
    status: "trouble known",
    resend: "refused",
  },
  { answer: error(400, "email: bad"), subscribe: "refused", status: "trouble known", resend: "refused" },
  { answer: error(400, ""), subscribe: "refused", status: "trouble known", resend: "refused" },
  {
    answer: error(405, "Flagged for bouncing."),
    subscribe: "suppressed",
    status: "trouble known",
    resend: "suppressed",
  },
  {
    answer: error(405, "Contact has reached the bounce limit."),
    subscribe: "suppressed",
    status: "trouble known",
    resend: "suppressed",
  },
  { answer: error(405, ""), subscribe: "suppressed", status: "trouble known", resend: "suppressed" },
  // The HTTP status decides: a 405 is a rejection even without the envelope (contract 6.5).
  { answer: error(405), subscribe: "suppressed", status: "trouble known", resend: "suppressed" },
  {
    answer: error(405, CREDITS),
    subscribe: "trouble known",
    status: "trouble known",
    resend: "trouble known",
  },
  {
    answer: error(405, "Sandbox daily send cap exceeded"),
    subscribe: "trouble known",
    status: "trouble known",
    resend: "trouble known",
  },
  {
    answer: error(405, "This project is restricted."),
    subscribe: "trouble known",
    status: "trouble known",
    resend: "trouble known",
  },
  {
    answer: error(404, "Subscriber not found"),
    subscribe: "trouble known",
    status: "absent",
    resend: "trouble known",
  },
  {
    answer: error(404, "Subscriber list not found"),
    subscribe: "trouble known",
    status: "trouble known",
    resend: "trouble known",
  },
  { answer: error(401, "x"), subscribe: "trouble known", status: "trouble known", resend: "trouble known" },
  { answer: error(403, "x"), subscribe: "trouble known", status: "trouble known", resend: "trouble known" },
  { answer: error(403), subscribe: "trouble known", status: "trouble known", resend: "trouble known" },
  { answer: error(429), subscribe: "trouble known", status: "trouble known", resend: "trouble known" },
  { answer: error(302), subscribe: "trouble known", status: "trouble known", resend: "trouble known" },
  {
    answer: error(500, "x"),
    subscribe: "trouble unknown",
    status: "trouble known",
    resend: "trouble unknown",
  },
  { answer: error(503), subscribe: "trouble unknown", status: "trouble known", resend: "trouble unknown" },
  // Without the envelope somebody else on the way spoke, and what became of the call is open.
  { answer: error(400), subscribe: "trouble unknown", status: "trouble known", resend: "trouble unknown" },
  { answer: error(404), subscribe: "trouble unknown", status: "trouble known", resend: "trouble unknown" },
  {
    answer: { kind: "broken", code: "broken", reason: "no answer" },
    subscribe: "trouble unknown",
    status: "trouble known",
    resend: "trouble unknown",
  },
  {
    answer: { kind: "unsent", code: "not_configured", reason: "no key" },
    subscribe: "trouble known",
    status: "trouble known",
    resend: "trouble known",
  },
];

Deno.test("every answer has the meaning that the provider notes give it", () => {
  for (const { answer, ...meant } of TABLE) {
    const meanings = {
      subscribe: short(subscribeMeaning(answer)),
      status: short(statusMeaning(answer)),
      resend: short(resendMeaning(answer)),
    };
    assert.deepEqual(meanings, meant, JSON.stringify(answer));
  }
});

Deno.test("a 405 that speaks of bounces means bounced, every other rejection suppressed", () => {
  const bounced = (message?: string) => {
    const meaning = subscribeMeaning(error(405, message));
    return meaning.kind === "suppressed" ? meaning.bounced ?? false : meaning.kind;
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

Deno.test("the provider's states are ours by another name, and a new word is trouble", () => {
  const words = {
    unverified: "pending",
    active: "active",
    unsubscribed: "unsubscribed",
    paused: "paused",
    bounced: "bounced",
    suppressed: "suppressed",
  };
  for (const [word, status] of Object.entries(words)) {
    assert.deepEqual(statusMeaning(result({ status: word })), { kind: "found", status });
  }
  for (const word of ["", "Active", "constructor", "toString", "gone\nforever"]) {
    assert.equal(statusOf(word), undefined);
    assert.equal(statusMeaning(result({ status: word })).kind, "trouble", word);
  }
});

Deno.test("403 tells the admin all three causes", () => {
  const meaning = subscribeMeaning(error(403, "Forbidden"));
  assert.ok(meaning.kind === "trouble");
  for (const cause of [/key is wrong/, /another project/, /whitelist/]) assert.match(meaning.reason, cause);
});

Deno.test("the words of a 403 that name a cause name it to programs as well", () => {
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

Deno.test("every trouble has the code of its cause", () => {
  const table: [Answer, string][] = [
    [error(401, "x"), "forbidden"],
    [error(403), "forbidden"],
    [error(404, "Subscriber list not found"), "not_found"],
    [error(405, CREDITS), "account"],
    [error(405, "This project is restricted."), "account"],
    [error(429), "rate_limited"],
    [error(500, "x"), "unavailable"],
    [error(503), "unavailable"],
    [error(302), "unexpected"],
    [{ kind: "broken", code: "timeout", reason: "no answer" }, "timeout"],
    [{ kind: "unsent", code: "invalid_key", reason: "no key" }, "invalid_key"],
  ];
  for (const [answer, code] of table) {
    const meaning = subscribeMeaning(answer);
    assert.equal(meaning.kind === "trouble" && meaning.code, code, JSON.stringify(answer));
  }
});

Deno.test("the provider's wish to be left alone is passed on", () => {
  for (
    const answer of [{ ...error(429), retryAfterMs: 7000 }, { ...error(405, CREDITS), retryAfterMs: 7000 }]
  ) {
    const meaning = subscribeMeaning(answer as Answer);
    assert.ok(meaning.kind === "trouble");
    assert.equal(meaning.retryAfterMs, 7000);
  }
});

Deno.test("a mail's answer says whether it was taken, will never be, or may be asked for again", () => {
  const table: [Answer, string][] = [
    [result({ success: true }), "sent"],
    [result({}), "sent"],
    [result({ success: false }), "refused"],
    [error(400, "triggeredId: bad"), "refused"],
    [error(405, "Flagged for bouncing."), "refused"],
    [error(405, CREDITS), "trouble known"],
    [error(404, "Template not found"), "trouble known"],
    [error(401, "x"), "trouble known"],
    [error(403), "trouble known"],
    [error(429), "trouble known"],
    [error(503, "The service is unavailable."), "trouble known"],
    [error(500, "x"), "trouble unknown"],
    [error(502, "x"), "trouble unknown"],
    // A gateway on the way may give up on a request that went through.
    [error(503), "trouble unknown"],
    [error(400), "trouble unknown"],
    [{ kind: "broken", code: "broken", reason: "no answer" }, "trouble unknown"],
    [{ kind: "unsent", code: "not_configured", reason: "no key" }, "trouble known"],
  ];
  for (const [answer, meant] of table) {
    assert.equal(short(mailMeaning(answer)), meant, JSON.stringify(answer));
  }
});

Deno.test("a contact's answer says whether it is there, and what was saved", () => {
  const reads: [Answer, string][] = [
    [result({ name: "Ada", tags: ["a"] }), "found"],
    [result({ name: null }), "found"],
    [result("nonsense"), "trouble known"],
    [error(404, "Contact not found"), "absent"],
    // A missing project, or a gateway's own 404, says nothing about the person.
    [error(404, "Project not found"), "trouble known"],
    [error(404), "trouble known"],
    [error(500, "x"), "trouble known"],
  ];
  for (const [answer, meant] of reads) {
    assert.equal(short(contactMeaning(answer)), meant, JSON.stringify(answer));
  }
  const writes: [Answer, string][] = [
    [result({}), "saved"],
    [error(400, "orderCount: must be a string"), "trouble known"],
    [error(405, "Flagged for bouncing."), "refused"],
    [error(405, CREDITS), "trouble known"],
    [error(429), "trouble known"],
    [error(500, "x"), "trouble unknown"],
    [{ kind: "broken", code: "broken", reason: "no answer" }, "trouble unknown"],
  ];
  for (const [answer, meant] of writes) {
    assert.equal(short(saveContactMeaning(answer)), meant, JSON.stringify(answer));
  }
});

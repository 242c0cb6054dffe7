import assert from "node:assert/strict";
import { connectionResult } from "./adapter.ts";
import { readContact, statusResult } from "./contact.ts";
import type { BrevoError, BrevoResponse } from "./http.ts";
import { isDuplicate, isInvalidEmail, trouble } from "./results.ts";
import { templateResult } from "./templates.ts";

const EMAIL = "ann@example.com";
const error = (status: number, code?: string, message = `about ${EMAIL}`): BrevoError => ({
  kind: "error",
  status,
  ...(code !== undefined && { problem: { code, message } }),
});
const ok = (json: unknown): BrevoResponse => ({ kind: "ok", status: 200, body: json });

Deno.test("the code of every trouble is its cause, and no reason contains Brevo's message", () => {
  const table: [response: BrevoResponse, code: string, unknown: boolean][] = [
    [error(400, "invalid_parameter"), "unexpected", false],
    [error(400, "invalid_parameter", "An active DOI template does not exist"), "account", false],
    [error(402, "not_enough_credits"), "account", false],
    [error(403, "account_under_validation"), "account", false],
    [error(401, "unauthorized"), "forbidden", false],
    [error(401), "forbidden", false],
    [error(404, "document_not_found"), "not_found", false],
    [error(404), "not_found", true],
    [error(425, "account_in_process"), "unavailable", false],
    [error(429), "rate_limited", false],
    [error(500, EMAIL), "unavailable", true],
    [error(502), "unavailable", true],
    [ok(undefined), "unexpected", true],
    [{ kind: "failed", code: "timeout", reason: "no response", unknown: true }, "timeout", true],
    [
      { kind: "failed", code: "no_connection", reason: "no connection", unknown: false },
      "no_connection",
      false,
    ],
  ];
  for (const [response, code, unknown] of table) {
    const found = trouble(response, "writes");
    assert.deepEqual([found.code, found.unknown], [code, unknown], JSON.stringify(response));
    assert.ok(!found.reason.includes(EMAIL), found.reason);
    assert.equal(trouble(response, "reads").unknown, false);
  }
});

Deno.test("only an error about the person's address rejects it", () => {
  for (const message of ["Invalid email address", "email is not valid in to", "Invalid e-mail"]) {
    assert.ok(isInvalidEmail(error(400, "invalid_parameter", message)), message);
  }
  for (
    const response of [
      error(400, "invalid_parameter", "sender email is not valid"),
      error(400, "invalid_parameter", "List ID is not valid for this email"),
      error(400, "invalid_parameter", "redirectionUrl is not valid"),
      error(400, "missing_parameter", "email is not valid"),
      error(500, "invalid_parameter", "Invalid email address"),
    ]
  ) assert.ok(!isInvalidEmail(response), response.problem?.message);
});

Deno.test("a duplicate is recognized by its code or its message", () => {
  assert.ok(isDuplicate(error(400, "duplicate_parameter")));
  assert.ok(isDuplicate(error(400, "invalid_parameter", "Attribute name already exists")));
  assert.ok(isDuplicate(error(400, "invalid_parameter", "email is already associated with another user")));
  assert.ok(!isDuplicate(error(400, "invalid_parameter", "List ID does not exist")));
  assert.ok(!isDuplicate(error(500, "duplicate_parameter")));
});

Deno.test("a contact that does not say whether it is on the blocklist is trouble", () => {
  for (const json of [undefined, null, [], {}, { listIds: [1] }, { emailBlacklisted: "no", listIds: [1] }]) {
    assert.equal(readContact(ok(json)).kind, "trouble", JSON.stringify(json));
  }
  const odd = {
    emailBlacklisted: false,
    listIds: [1],
    listUnsubscribed: null,
    modifiedAt: 7,
    attributes: [],
    statistics: "none",
  };
  assert.deepEqual(statusResult(readContact(ok(odd)), 1), { kind: "found", status: "active" });
  const blocked = statusResult(readContact(ok({ ...odd, emailBlacklisted: true })), 1);
  assert.deepEqual(blocked, { kind: "found", status: "unsubscribed", isUnexplained: true });
});

Deno.test("a 404 means that somebody is absent only if it is Brevo's own", () => {
  assert.deepEqual(readContact(error(404, "document_not_found")), { kind: "absent" });
  assert.equal(readContact(error(404)).kind, "trouble");
  assert.deepEqual(templateResult(error(404, "document_not_found")), { kind: "absent" });
});

Deno.test("a template is certain to be accepted only with double opt-in and the tag optin", () => {
  const isOptIn = (template: object) => {
    const read = templateResult(ok({ name: "Confirm", isActive: true, ...template }));
    return read.kind === "found" ? read.isOptIn : read.kind;
  };
  assert.equal(isOptIn({ doiTemplate: true, tag: "optin" }), true);
  assert.equal(isOptIn({ doiTemplate: true, tag: "" }), undefined);
  assert.equal(isOptIn({ doiTemplate: false, tag: "optin" }), false);
  assert.equal(isOptIn({ tag: "optin" }), undefined);
  assert.equal(isOptIn({ isActive: "yes" }), "trouble");
});

Deno.test("the connection test tells a wrong key from an IP address that the account does not accept", () => {
  const ip = error(
    401,
    "unauthorized",
    "We have detected you are using an unrecognised IP address 192.0.2.1.",
  );
  const refused = connectionResult(ip);
  assert.ok(refused.kind === "forbidden");
  assert.deepEqual(refused.likely, ["allowlist"]);
  assert.match(refused.message, /Authorized IPs/);
  assert.partialDeepStrictEqual(connectionResult(error(401, "unauthorized", "Key not found")), {
    kind: "forbidden",
    likely: [],
  });
  assert.deepEqual(connectionResult(ok({ companyName: "Engines", plan: [{ type: "free" }] })), {
    kind: "connected",
    name: "Engines",
    status: "free",
  });
});

import assert from "node:assert/strict";
import type { BluefoxResponse } from "./http.ts";
import { contactResult, mailResult, saveContactResult } from "./results.ts";
import { CREDITS, error, result, short } from "./testing/responses.ts";

Deno.test("the response to an email says whether it was sent, is refused or can be retried", () => {
  const table: [BluefoxResponse, string][] = [
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
    // A gateway may time out although the provider completed the request.
    [error(503), "trouble unknown"],
    [error(400), "trouble unknown"],
    [{ kind: "failed", code: "broken", reason: "no response", unknown: true }, "trouble unknown"],
    [{ kind: "failed", code: "not_configured", reason: "no key", unknown: false }, "trouble known"],
  ];
  for (const [response, expected] of table) {
    assert.equal(short(mailResult(response)), expected, JSON.stringify(response));
  }
});

Deno.test("the response about a contact says whether it exists, and whether it was saved", () => {
  const reads: [BluefoxResponse, string][] = [
    [result({ name: "Ada", tags: ["a"] }), "found"],
    [result({ name: null }), "found"],
    [result("nonsense"), "trouble known"],
    [error(404, "Contact not found"), "absent"],
    // A missing project, or a 404 from a gateway, says nothing about the person.
    [error(404, "Project not found"), "trouble known"],
    [error(404), "trouble known"],
    [error(500, "x"), "trouble known"],
  ];
  for (const [response, expected] of reads) {
    assert.equal(short(contactResult(response)), expected, JSON.stringify(response));
  }
  const writes: [BluefoxResponse, string][] = [
    [result({}), "saved"],
    [error(400, "orderCount: must be a string"), "trouble known"],
    [error(405, "Flagged for bouncing."), "refused"],
    [error(405, CREDITS), "trouble known"],
    [error(429), "trouble known"],
    [error(500, "x"), "trouble unknown"],
    [{ kind: "failed", code: "broken", reason: "no response", unknown: true }, "trouble unknown"],
  ];
  for (const [response, expected] of writes) {
    assert.equal(short(saveContactResult(response)), expected, JSON.stringify(response));
  }
});

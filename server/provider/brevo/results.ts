import { z } from "zod";
import { codeOfStatus } from "../../http/outbound/failure.ts";
import type { ForbiddenCause } from "../port.ts";
import type { Trouble, TroubleCode } from "../trouble.ts";
import type { BrevoError, BrevoResponse } from "./http.ts";

/** Converts Brevo's errors to trouble. A reason contains Brevo's error code but never its message. */

/** Whether the request changes data. Only then can an unclear response hide an effect. */
export type Effect = "reads" | "writes";

/** The error codes that Brevo documents. Others are left out of reasons, because they could contain anything. */
const CODES: readonly string[] = [
  "account_in_process",
  "account_under_validation",
  "bad_request",
  "document_not_found",
  "duplicate_parameter",
  "duplicate_request",
  "invalid_parameter",
  "method_not_allowed",
  "missing_parameter",
  "not_acceptable",
  "not_enough_credits",
  "out_of_range",
  "permission_denied",
  "unauthorized",
  "unprocessable_entity",
];

/** Problems that the owner of the Brevo account has to solve. Deliveries are retried until then. */
const OWNER_PROBLEMS: readonly {
  is: (error: BrevoError) => boolean;
  code: TroubleCode;
  reason: string;
}[] = [
  {
    is: ({ status, code }) => status === 402 || code === "not_enough_credits",
    code: "account",
    reason: "the Brevo account is out of credits",
  },
  {
    is: ({ code }) => code === "account_under_validation",
    code: "account",
    reason: "Brevo has not approved the account yet",
  },
  {
    is: ({ status, message }) => status === 400 && /\bDOI template\b/i.test(message),
    code: "account",
    reason: "Brevo does not accept the template of the confirmation email: " +
      "it has to be active and to have the tag “optin”",
  },
  {
    is: isUnknownIp,
    code: "forbidden",
    reason: "Brevo does not accept this server's IP address: add it there under Security > Authorized IPs",
  },
  {
    is: ({ status }) => status === 401,
    code: "forbidden",
    reason: "the API key is wrong or was deactivated",
  },
];

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: BrevoResponse, effect: Effect): Trouble {
  if (response.kind === "failed") {
    const { code, reason, unknown } = response;
    return { kind: "trouble", code, reason, unknown: unknown && effect === "writes" };
  }
  if (response.kind === "ok") {
    const reason = "Brevo's response is not the one that its documentation describes";
    return { kind: "trouble", code: "unexpected", reason, unknown: effect === "writes" };
  }
  const { status, code, retryAfterMs } = response;
  const known = OWNER_PROBLEMS.find(({ is }) => is(response));
  // Without Brevo's JSON, even a 4xx may come from a proxy; only these are unambiguous.
  const isForeign = code === undefined && ![401, 403, 429].includes(status);
  const found: Trouble = {
    kind: "trouble",
    // 425: Brevo still processes an earlier request about the same contact.
    code: known?.code ?? (status === 425 ? "unavailable" : codeOfStatus(status)),
    reason: `HTTP ${status}: ${
      known?.reason ?? (code !== undefined && CODES.includes(code) ? code : "error")
    }`,
    unknown: effect === "writes" && (status >= 500 || (isForeign && status >= 400)),
  };
  if (retryAfterMs !== undefined) found.retryAfterMs = retryAfterMs;
  return found;
}

/** Returns trouble about a setting that is missing or malformed; nothing was sent. */
export function notConfigured(reason: string): Trouble {
  return { kind: "trouble", code: "not_configured", reason, unknown: false };
}

const created = z.object({ id: z.number() });

/** Returns the ID of what a request created; undefined if the response does not contain one. */
export function createdId(response: BrevoResponse): number | undefined {
  return response.kind === "ok" ? created.safeParse(response.json).data?.id : undefined;
}

/** Returns whether Brevo itself reports that what was asked for does not exist. */
export function isMissing(response: BrevoResponse): boolean {
  return response.kind === "error" && response.status === 404 && response.code === "document_not_found";
}

/** Returns whether Brevo rejects the address as malformed, and not another part of the request. */
export function isInvalidEmail(response: BrevoResponse): boolean {
  return response.kind === "error" && response.status === 400 && response.code === "invalid_parameter" &&
    /\be-?mail\b/i.test(response.message) && /valid/i.test(response.message) &&
    !/\b(sender|template|list|url|attribute)/i.test(response.message);
}

/** Returns whether Brevo has it already: a contact with that address, or an attribute with that name. */
export function isDuplicate(response: BrevoResponse): boolean {
  return response.kind === "error" && response.status === 400 &&
    (response.code === "duplicate_parameter" ||
      /\b(already (exists?|associated|in use))\b/i.test(response.message));
}

function isUnknownIp({ status, message }: BrevoError): boolean {
  return status === 401 && /\bIP address\b/i.test(message);
}

/** Returns the causes of a rejected key that Brevo's error suggests. */
export function forbiddenCauses(error: BrevoError): ForbiddenCause[] {
  if (isUnknownIp(error)) return ["allowlist"];
  return error.status === 403 ? ["restricted"] : [];
}

import { z } from "zod";
import type { ForbiddenCause } from "../../port/port.ts";
import { type Effect, responseTrouble } from "../../http/response_trouble.ts";
import type { Trouble, TroubleCode } from "../../port/trouble.ts";
import type { BrevoError, BrevoResponse } from "./http.ts";

/** Converts Brevo's errors to trouble. A reason contains Brevo's error code but never its message. */

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
    is: ({ status, problem }) => status === 402 || problem?.code === "not_enough_credits",
    code: "account",
    reason: "the Brevo account is out of credits",
  },
  {
    is: ({ problem }) => problem?.code === "account_under_validation",
    code: "account",
    reason: "Brevo has not approved the account yet",
  },
  {
    is: ({ status, problem }) => status === 400 && /\bDOI template\b/i.test(problem?.message ?? ""),
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
  if (response.kind !== "error") {
    const found = responseTrouble("Brevo", response, effect);
    if (response.kind === "failed") return found;
    return { ...found, reason: "Brevo's response is not the one that its documentation describes" };
  }
  const { status, problem } = response;
  const known = OWNER_PROBLEMS.find(({ is }) => is(response));
  const code = problem && CODES.includes(problem.code) ? problem.code : "error";
  // 425: Brevo still processes an earlier request about the same contact.
  const found = responseTrouble(
    "Brevo",
    response,
    effect,
    known?.code ?? (status === 425 ? "unavailable" : undefined),
  );
  return {
    ...found,
    reason: `HTTP ${status}: ${known?.reason ?? code}`,
    // A 401 is unambiguous even without Brevo's own body.
    unknown: found.unknown && status !== 401,
  };
}

/** Returns trouble about a setting that is missing or malformed; nothing was sent. */
export function notConfigured(reason: string): Trouble {
  return { kind: "trouble", code: "not_configured", reason, unknown: false };
}

const created = z.object({ id: z.number() });

/** Returns the ID of what a request created; undefined if the response does not contain one. */
export function createdId(response: BrevoResponse): number | undefined {
  return response.kind === "ok" ? created.safeParse(response.body).data?.id : undefined;
}

/** Returns whether Brevo itself reports that what was asked for does not exist. */
export function isMissing(response: BrevoResponse): boolean {
  return response.kind === "error" && response.status === 404 &&
    response.problem?.code === "document_not_found";
}

/** Returns whether Brevo rejects the address as malformed, and not another part of the request. */
export function isInvalidEmail(response: BrevoResponse): boolean {
  return response.kind === "error" && response.status === 400 &&
    response.problem?.code === "invalid_parameter" &&
    /\be-?mail\b/i.test(response.problem?.message ?? "") && /valid/i.test(response.problem?.message ?? "") &&
    !/\b(sender|template|list|url|attribute)/i.test(response.problem?.message ?? "");
}

/** Returns whether Brevo has it already: a contact with that address, or an attribute with that name. */
export function isDuplicate(response: BrevoResponse): boolean {
  return response.kind === "error" && response.status === 400 &&
    (response.problem?.code === "duplicate_parameter" ||
      /\b(already (exists?|associated|in use))\b/i.test(response.problem?.message ?? ""));
}

function isUnknownIp({ status, problem }: BrevoError): boolean {
  return status === 401 && /\bIP address\b/i.test(problem?.message ?? "");
}

/** Returns the causes of a rejected key that Brevo's error suggests. */
export function forbiddenCauses(error: BrevoError): ForbiddenCause[] {
  if (isUnknownIp(error)) return ["allowlist"];
  return error.status === 403 ? ["restricted"] : [];
}

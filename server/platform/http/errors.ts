import type { Context, MiddlewareHandler } from "hono";

/** Every reason to refuse a request. Each route chooses the format of the response; see `errorsAs`. */
export const ERRORS = {
  invalid: { status: 400, message: "The body must be a JSON object, sent as application/json." },
  unauthorized: { status: 401, message: "The API token is missing or wrong." },
  forbidden: { status: 403, message: "The nonce is missing, wrong or too old." },
  not_found: { status: 404, message: "Not found." },
  method_not_allowed: { status: 405, message: "This method is not allowed here." },
  conflict: { status: 409, message: "This is already complete and can't be changed." },
  too_large: { status: 413, message: "The body is too large." },
  rate_limited: { status: 429, message: "Too many requests. Try again later." },
  rejected: { status: 503, message: "That did not work. Please try again." },
} as const;

/**
 * When to retry after a 503 for a reason that passes, such as a database that restarts. Our widget retries if this is
 * not longer than its first pause (`widget/src/loader/fetch_json.ts`). Without `Retry-After`, an admin has to act first.
 */
export const RETRY_UNAVAILABLE_MS = 1_000;

export type ErrorCode = keyof typeof ERRORS;

/** Why a request was refused. */
export interface ApiError {
  code: ErrorCode;
  status: (typeof ERRORS)[ErrorCode]["status"];
  /** `detail`, or the message from the table. */
  message: string;
  /** What is wrong with this request, if the route says so. */
  detail?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** How a route reports errors. */
export interface ErrorFormat {
  /** Creates the response, as JSON or as an HTML page, with `error.status`. */
  respond(error: ApiError, c: Context): Response | Promise<Response>;
  /** Called once for each refused request, before the response is created. */
  refused?(error: ApiError, c: Context): void;
  /** The log event of an exception; `request.failed` by default. */
  failed?: string;
}

const PLAIN: ErrorFormat = {
  respond: ({ code, status, message }, c) => c.json({ success: false, code, message }, status),
};

function formatOf(c: Context): ErrorFormat {
  return c.get("errorFormat") ?? PLAIN;
}

/** Sets the format of all errors of the following handlers, including exceptions. */
export function errorsAs(format: ErrorFormat): MiddlewareHandler {
  return (c, next) => {
    c.set("errorFormat", format);
    return next();
  };
}

/** Returns the error response for a refused request, in the format of its route. */
export async function refuse(
  c: Context,
  code: ErrorCode,
  { detail, retryAfterMs }: { detail?: string | undefined; retryAfterMs?: number } = {},
): Promise<Response> {
  const format = formatOf(c);
  const { status, message } = ERRORS[code];
  const error: ApiError = { code, status, message: detail ?? message, detail, retryAfterMs };
  format.refused?.(error, c);
  const response = await format.respond(error, c);
  if (retryAfterMs !== undefined) setRetryAfter(response, retryAfterMs);
  return response;
}

/** Returns the response for a path without a route, in the default format. */
export async function notFound(c: Context): Promise<Response> {
  return await PLAIN.respond({ code: "not_found", ...ERRORS.not_found }, c);
}

/** Returns the log event for an exception in a route. */
export function failureEvent(c: Context): string {
  return formatOf(c).failed ?? "request.failed";
}

/**
 * Sets `Retry-After` of a new response, rounded up to whole seconds. Headers that the context sets before it creates the
 * response cost more (see `createApp`).
 */
export function setRetryAfter({ headers }: Response, ms: number): void {
  headers.set("Retry-After", String(Math.ceil(ms / 1000)));
}

import type { Context as HonoContext, MiddlewareHandler } from "hono";
import type { Context } from "../account/context.ts";
import { readFaults } from "../account/faults.ts";
import { testBehaviorOf } from "../account/test_addresses.ts";
import { fail, readJson } from "./envelope.ts";

/** Simulates the selected fault and the behavior of test addresses. Runs after authentication. */
export function simulateFaults(context: Context): MiddlewareHandler {
  const { clock, timing, kv, background } = context;
  // Not `request.signal`: Deno warns that its meaning will change, and nobody waits for this pause.
  const pause = (ms: number) => clock.sleep(ms, background.stopping);

  return async (c, next) => {
    const behavior = await testBehaviorOfRequest(c);
    if (behavior === "down") return unavailable(c);
    if (behavior === "slow") await pause(timing.slowMs);
    const { mode, retryAfterSeconds } = await readFaults(kv);
    switch (mode) {
      case "none":
        return await next();
      case "429":
        return fail(retryAfter(c, retryAfterSeconds), 429, "TOO_MANY_REQUESTS", "Too many requests.");
      case "500":
        return fail(c, 500, "INTERNAL_SERVER_ERROR", "Something went wrong.");
      case "503":
        return unavailable(retryAfter(c, retryAfterSeconds));
      case "403":
        return fail(c, 403, "FORBIDDEN", "Missing or invalid API key.");
      case "whitelist":
        return fail(c, 403, "FORBIDDEN", "This domain is not on the project's whitelist.");
      case "credits":
        // Reading costs no credits, so only sending fails.
        return c.req.method === "GET" ? await next() : outOfCredits(c);
      case "garbage":
        return c.html("<!doctype html><title>Bad gateway</title><p>This is not JSON.");
      case "reset":
        return broken();
      case "hang":
        await pause(timing.hangMs);
        return broken();
      case "hang-after":
        await next();
        await pause(timing.hangMs);
        c.res = broken();
        return;
      case "error-after":
        await next();
        c.res = fail(c, 500, "INTERNAL_SERVER_ERROR", "Something went wrong.");
        return;
    }
  };
}

/** Finds the email address in the path, or in the body of a subscribe request. */
async function testBehaviorOfRequest(c: HonoContext) {
  const segment = /\/(?:subscribers|contacts)\/([^/]+)/.exec(c.req.path)?.[1];
  if (segment) return testBehaviorOf(segment.replace(/%40/gi, "@").replace(/%2B/gi, "+"));
  if (c.req.method !== "POST") return undefined;
  const body = await readJson(c) as { email?: unknown } | null;
  return typeof body?.email === "string" ? testBehaviorOf(body.email) : undefined;
}

function unavailable(c: HonoContext): Response {
  return fail(c, 503, "SERVICE_UNAVAILABLE", "The service is unavailable.");
}

function outOfCredits(c: HonoContext): Response {
  return fail(c, 405, "METHOD_NOT_ALLOWED", "Insufficient credits available.");
}

function retryAfter(c: HonoContext, seconds: number | undefined): HonoContext {
  if (seconds !== undefined) c.header("retry-after", `${seconds}`);
  return c;
}

/** Returns a response whose body fails at once, so that the server closes the connection. */
function broken(): Response {
  const body = new ReadableStream({
    start: (controller) => controller.error("sandbox: connection closed on purpose"),
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

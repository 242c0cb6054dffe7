import { retryAfterMs } from "./retry_after.ts";

/** A larger number of seconds is a time since 1970, not a wait. */
const LONGEST_WAIT_SECONDS = 10_000_000;

/**
 * Returns how long the remote asks us to wait: its `Retry-After`, or the time until its rate limit resets if nothing
 * remains of the limit. Understands `RateLimit` (draft-ietf-httpapi-ratelimit-headers), and the older headers that end in
 * `RateLimit-Remaining` and `RateLimit-Reset` with any prefix, where the reset is in seconds from now or since 1970.
 *
 * @param now Unix milliseconds
 * @returns milliseconds, at most 6 h; undefined if the headers don't say
 */
export function requestedWaitMs(headers: Headers, now: number): number | undefined {
  const wait = retryAfterMs(headers.get("retry-after"), now);
  if (wait !== undefined) return wait;
  const [remaining, reset] = draftLimit(headers) ?? [named(headers, "remaining"), named(headers, "reset")];
  if (remaining === undefined || Number(remaining) > 0 || reset === undefined) return undefined;
  const seconds = Number(reset);
  if (!(seconds >= 0)) return undefined;
  const waitSeconds = seconds > LONGEST_WAIT_SECONDS ? seconds - now / 1000 : seconds;
  return retryAfterMs(String(Math.max(0, Math.ceil(waitSeconds))), now);
}

/** Returns what remains and the reset of `RateLimit: "default";r=0;t=30`. */
function draftLimit(headers: Headers): [string | undefined, string | undefined] | undefined {
  const value = headers.get("ratelimit");
  if (value === null) return undefined;
  const parameter = (name: string) => new RegExp(`[;,\\s]${name}\\s*=\\s*(\\d+)`).exec(` ${value}`)?.[1];
  return [parameter("r") ?? parameter("remaining"), parameter("t") ?? parameter("reset")];
}

function named(headers: Headers, what: string): string | undefined {
  for (const [name, value] of headers) if (name.endsWith(`ratelimit-${what}`)) return value;
  return undefined;
}

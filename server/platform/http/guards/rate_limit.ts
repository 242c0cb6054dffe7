import type { MiddlewareHandler } from "hono";
import type { Clock, Random } from "../../deps.ts";
import type { Chains } from "../../kv/chains.ts";
import type { Kv } from "../../kv/port.ts";
import type { FullLimits } from "../../limits/full_limits.ts";
import type { Policy } from "../../limits/policies.ts";
import { spend } from "../../limits/spend.ts";
import { refuse } from "../errors.ts";
import { withDatabaseTimeout } from "../database_timeout.ts";
import type { ClientIp } from "../visitor/client_ip.ts";
import { limitSubject } from "../visitor/visitor_ip.ts";

export interface RateLimitDeps {
  kv: Kv;
  clock: Clock;
  random: Random;
  chains: Chains;
  fullLimits: FullLimits;
  clientIp: ClientIp;
}

/**
 * Counts the request toward an exact limit per visitor IP. Refuses requests over the limit with 429 and `Retry-After`,
 * without reading their body, and without reading the database if the limit is known to be full.
 *
 * @throws {DatabaseTimeout} if the database does not respond within 10 seconds
 */
export function rateLimit(deps: RateLimitDeps, policyOf: (ip: string) => Policy): MiddlewareHandler {
  const { fullLimits } = deps;
  return async (c, next) => {
    const policy = policyOf(limitSubject(await deps.clientIp(c)));
    const retryAfterMs = fullLimits.retryAfterMs(policy, deps.clock.now());
    if (retryAfterMs !== undefined) return refuse(c, "rate_limited", { retryAfterMs });
    const verdict = await withDatabaseTimeout(spend(deps, policy), deps.clock);
    fullLimits.note(policy, verdict);
    if (!verdict.admitted) return refuse(c, "rate_limited", { retryAfterMs: verdict.retryAfterMs });
    return await next();
  };
}

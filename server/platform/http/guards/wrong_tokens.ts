import type { MiddlewareHandler } from "hono";
import { WRONG_TOKEN } from "../../audit/actor_name.ts";
import type { Audit } from "../../audit/audit.ts";
import { type Config, isLoopback } from "../../config/config.ts";
import { spend } from "../../limits/spend.ts";
import { bearerOf } from "../bearer.ts";
import { withDatabaseTimeout } from "../database_timeout.ts";
import { refuse } from "../errors.ts";
import { isLocalRequest } from "../visitor/local_request.ts";
import { peerIp } from "../visitor/client_ip.ts";
import { limitSubject } from "../visitor/visitor_ip.ts";
import type { RateLimitDeps } from "./rate_limit.ts";
import type { Policies } from "../../limits/policies.ts";

export interface WrongTokenDeps extends RateLimitDeps {
  config: Pick<Config, "baseUrl">;
  policies: Pick<Policies, "wrongTokenIp">;
  admin: { audit: Pick<Audit, "count"> };
}

/**
 * Limits wrong API tokens per IP, and counts them in the audit log. Over the limit, requests with any token get 429, so that
 * nobody learns whether a guess is right; one in ten seconds passes, as long as `FullLimits` remembers. Requests without a
 * token try none. Those of programs on this machine are not limited while the public URL is this machine's, too.
 *
 * Register it after `errorsAs` and before what refuses the token.
 *
 * @param options.always whether the request tries a token in its body
 */
export function wrongTokens(deps: WrongTokenDeps, { always = false } = {}): MiddlewareHandler {
  const { fullLimits, clock, config } = deps;
  // A proxy that adds no header looks like a program on this machine, and who calls through it may be anybody.
  const trustsLocal = isLoopback(config.baseUrl);
  return async (c, next) => {
    const { headers } = c.req.raw;
    const triesToken = always || bearerOf(headers) !== undefined;
    if (!triesToken || (trustsLocal && isLocalRequest(headers, peerIp(c)))) return await next();
    const ip = await deps.clientIp(c);
    const policy = deps.policies.wrongTokenIp(limitSubject(ip));
    const retryAfterMs = fullLimits.retryAfterMs(policy, clock.now());
    if (retryAfterMs !== undefined) {
      return refuse(c, "rate_limited", {
        detail: "Too many wrong API tokens. Try again later.",
        retryAfterMs,
      });
    }
    await next();
    if (c.res.status !== 401) return;
    const verdict = await withDatabaseTimeout(spend(deps, policy), clock);
    fullLimits.note(policy, verdict);
    if (!verdict.admitted) return;
    await deps.admin.audit.count({
      who: WRONG_TOKEN,
      action: "cfbe_api_request",
      result: "refused",
      from: { ip },
    });
  };
}

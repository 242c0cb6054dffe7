import type { Clock, Random } from "../deps.ts";
import { cas, type Decision } from "../kv/cas.ts";
import type { Chains } from "../kv/chains.ts";
import type { Kv } from "../kv/port.ts";
import type { FullLimits } from "./full_limits.ts";
import type { Policies, Policy } from "./policies.ts";
import { timesOf } from "./spend.ts";

export interface ForgetLimitsDeps {
  kv: Kv;
  clock: Clock;
  random: Random;
  chains: Chains;
  fullLimits: FullLimits;
}

/** A limit whose requests can be forgotten. */
export interface Forgettable {
  policy: Policy;
  /** What it counts, in singular and plural. */
  counts: readonly [one: string, many: string];
}

/**
 * Returns the limits that one person reaches while testing forms. The limit of confirmation emails is not among them,
 * because it protects the owners of mailboxes, and neither are those of sign-ins and of servers.
 *
 * @param who `ip` as returned by `limitSubject`, and `mailbox` as returned by `mailboxOf`; undefined skips its limits
 */
export function testersLimits(
  policies: Policies,
  { ip, mailbox }: { ip?: string | undefined; mailbox?: string | undefined },
): Forgettable[] {
  return [
    ...ip === undefined ? [] : [
      { policy: policies.ip(ip), counts: ["signup from the IP address", "signups from the IP address"] },
      {
        policy: policies.cartEmailIp(ip),
        counts: ["checkout address from the IP address", "checkout addresses from the IP address"],
      },
      { policy: policies.cartIp(ip), counts: ["cart from the IP address", "carts from the IP address"] },
      {
        policy: policies.variantSeenIp(ip),
        counts: ["view of a variant from the IP address", "views of variants from the IP address"],
      },
    ] as const,
    ...mailbox === undefined ? [] : [
      { policy: policies.mailbox(mailbox), counts: ["signup of the mailbox", "signups of the mailbox"] },
      {
        policy: policies.cartEmailMailbox(mailbox),
        counts: ["checkout address of the mailbox", "checkout addresses of the mailbox"],
      },
    ] as const,
  ];
}

/**
 * Deletes the logs of limits in one commit, so that as many requests fit again as if none had been made. Requests that
 * run at the same time count either before or after the deletion. Another process may refuse requests for ten more
 * seconds; see `FullLimits`.
 *
 * @returns for each limit, how many requests still counted
 * @throws {Contended} if the rows keep changing
 */
export function forgetLimits(
  { kv, clock, random, chains, fullLimits }: ForgetLimitsDeps,
  limits: readonly Policy[],
): Promise<number[]> {
  return chains.run(limits.map(({ id }) => id), async () => {
    const counts = await cas(
      kv,
      { logs: limits.map(({ key }) => key) },
      ({ logs }): Decision<number[]> => ({
        value: logs.map((log, index) => {
          const since = clock.now() - limits[index]!.limit.spanMs;
          return timesOf(log).filter((time) => time > since).length;
        }),
        write(tx) {
          for (const { key, value } of logs) if (value !== null) tx.delete(key);
        },
      }),
      { clock, random },
    );
    for (const limit of limits) fullLimits.forget(limit);
    return counts;
  });
}

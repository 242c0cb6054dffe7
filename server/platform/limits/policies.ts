import {
  CART_EMAIL_PER_IP,
  CART_EMAIL_PER_MAILBOX,
  CART_PER_IP,
  CONFIRMATION_MAILS_PER_MAILBOX,
  HOOK_PER_IP,
  type Limit,
  LOGIN_PER_DEVICE,
  LOGIN_PER_IP,
  LOGIN_PER_USER,
  LOGIN_PER_USER_IP,
  LOGIN_PER_USER_NETWORK,
  SHOP_PER_IP,
  SIGNUP_PER_MAILBOX,
  SITE_LIMIT_CEILING,
  SUBSCRIBE_PER_IP,
  SUBSCRIBE_PER_SITE,
  VARIANT_SEEN_PER_IP,
  WRONG_TOKENS_PER_IP,
} from "../../../shared/limits.ts";
import type { Keyring } from "../keys/keyring.ts";
import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { type Admissions, admitShared, NETWORK_CHARACTERS, type Networks } from "./shared_log.ts";
import { admit, type Verdict } from "./sliding_log.ts";

/** A limit on one subject: the key of its log, and how much it admits. */
export interface Policy {
  /** Name of the limit in the counters and the log. */
  name:
    | "ip"
    | "site"
    | "mailbox"
    | "hook_ip"
    | "cart_email_ip"
    | "cart_email_mailbox"
    | "cart_ip"
    | "confirmation_mails"
    | "shop_ip"
    | "variant_seen_ip"
    | "wrong_token_ip"
    | "login_ip"
    | "login_user"
    | "login_user_ip"
    | "login_user_network"
    | "login_device";
  /** Identifies the limit and its subject in this process. Contains the subject, so it is neither stored nor logged. */
  id: string;
  /** Computed when it is first used, because a request over a limit that is known to be full needs none. */
  readonly key: Key<LogRow>;
  limit: Limit;
  /** Only an accepted signup counts, not a request that another limit or the owner's filter rejects. */
  countsAccepted?: true;
  /** Retry-After is the whole span, because the exact wait would reveal when the owner of a mailbox signed up. */
  hidesTimes?: true;
  /** Nothing but time makes room in the log: no refund. When it is full, `FullLimits` may remember that. */
  onlyTimeFrees?: true;
  /** The visitor's networks, if all visitors share the limit. */
  networks?: Networks;
}

type Traits = Pick<Policy, "countsAccepted" | "hidesTimes" | "onlyTimeFrees" | "networks">;

/** `beyond`: admitted although the limit is full, because one network has filled it. */
export type LimitVerdict = Verdict<Admissions> & { beyond?: true };

/** Decides whether one more request fits a policy; see `admit` and `admitShared`. */
export function admitTo(policy: Policy, log: Admissions, now: number): LimitVerdict {
  const { limit, networks } = policy;
  if (networks !== undefined) return admitShared(log, now, limit, networks);
  const verdict = admit(log.times, now, limit);
  if (verdict.admitted) return { ...verdict, log: { times: verdict.log } };
  const { at, retryAfterMs, corrected } = verdict;
  return {
    admitted: false,
    at,
    retryAfterMs: policy.hidesTimes ? limit.spanMs : retryAfterMs,
    ...(corrected && { corrected: { times: corrected } }),
  };
}

/**
 * The row of a log. Its key contains an HMAC of the subject, because a log may outlive the record (decision 5).
 * Version 2 is for long logs: a value has no room for more than some 4,600 times, but for 5,000 differences between them.
 */
export type LogRow =
  & ({ v: 1; times: number[] } | { v: 2; first: number; gaps: number[] })
  /** Of each time, in order; absent if nobody's network matters, and in rows of earlier versions. */
  & { networks?: string };

/** Creates the policies of contract 5.1 to 5.7, with a keyring that hashes their subjects. */
export function createPolicies(keyring: Keyring) {
  function policy(name: Policy["name"], subject: string, limit: Limit, traits: Traits = {}): Policy {
    const id = `${name}:${subject}`;
    let key: Key<LogRow> | undefined;
    return {
      name,
      id,
      get key() {
        return key ??= typed(keys.log(name, keyring.identify("cfbe/subject", id)));
      },
      limit,
      ...traits,
    };
  }
  const perIp = (name: Policy["name"], ip: string, limit: Limit) =>
    policy(name, ip, limit, { onlyTimeFrees: true });
  const perMailbox = (name: Policy["name"], mailbox: string, limit: Limit) =>
    policy(name, mailbox, limit, { hidesTimes: true });
  return {
    /** @param ip as returned by `limitSubject` of `http/visitor/visitor_ip.ts` */
    ip: (ip: string): Policy => perIp("ip", ip, SUBSCRIBE_PER_IP),
    mailbox: (mailbox: string): Policy => perMailbox("mailbox", mailbox, SIGNUP_PER_MAILBOX),
    hookIp: (ip: string): Policy => perIp("hook_ip", ip, HOOK_PER_IP),
    cartEmailIp: (ip: string): Policy => perIp("cart_email_ip", ip, CART_EMAIL_PER_IP),
    cartEmailMailbox: (mailbox: string): Policy =>
      perMailbox("cart_email_mailbox", mailbox, CART_EMAIL_PER_MAILBOX),
    /** Limits deliveries, not requests: those over it wait (see `signup/delivery/mail_budget.ts`). */
    confirmationMails: (mailbox: string): Policy =>
      policy("confirmation_mails", mailbox, CONFIRMATION_MAILS_PER_MAILBOX),
    cartIp: (ip: string): Policy => perIp("cart_ip", ip, CART_PER_IP),
    variantSeenIp: (ip: string): Policy => perIp("variant_seen_ip", ip, VARIANT_SEEN_PER_IP),
    /** For the server of a shop or an integration. */
    shopIp: (ip: string): Policy => perIp("shop_ip", ip, SHOP_PER_IP),
    wrongTokenIp: (ip: string): Policy => perIp("wrong_token_ip", ip, WRONG_TOKENS_PER_IP),
    loginIp: (ip: string): Policy => policy("login_ip", ip, LOGIN_PER_IP),
    loginUserIp: (name: string, ip: string): Policy =>
      policy("login_user_ip", `${ip} ${name}`, LOGIN_PER_USER_IP),
    /** @param network as returned by `networkOf` of `http/visitor/network.ts` */
    loginUserNetwork: (name: string, network: string): Policy =>
      policy("login_user_network", `${network} ${name}`, LOGIN_PER_USER_NETWORK),
    loginUser: (name: string): Policy => policy("login_user", name, LOGIN_PER_USER),
    /** @param id ID of a known browser or a session, so that guessing passwords there does not lock out others */
    loginDevice: (id: string): Policy => policy("login_device", id, LOGIN_PER_DEVICE),
    /**
     * @param max as returned by `siteLimitOf`; 0 disables the limit
     * @param networks the visitor's, as returned by `networksOf` of `http/visitor/network.ts`
     */
    site: (max: number, networks: [larger: string, home: string]): Policy | undefined =>
      max === 0 ? undefined : policy("site", "", { ...SUBSCRIBE_PER_SITE, max }, {
        countsAccepted: true,
        onlyTimeFrees: true,
        networks: hashed(keyring, networks),
      }),
  };
}

/** A log may outlive the visitor's record, so it contains no network in the clear. */
function hashed(keyring: Keyring, [larger, home]: [larger: string, home: string]): Networks {
  const hash = (network: string) =>
    keyring.identify("cfbe/subject", `network:${network}`).slice(0, NETWORK_CHARACTERS);
  const hashOfLarger = hash(larger);
  return hashOfLarger + (home === larger ? hashOfLarger : hash(home));
}

export type Policies = ReturnType<typeof createPolicies>;

/**
 * Returns the limit from the result of the filter `cfbe_signup_site_limit`, which may be any value: a whole
 * number up to 5,000, or 0 to disable the limit. Any other value leaves the contract's limit.
 */
export function siteLimitOf(filtered: unknown): number {
  if (typeof filtered !== "number" || !(filtered >= 0)) return SUBSCRIBE_PER_SITE.max;
  return Math.min(Math.ceil(filtered), SITE_LIMIT_CEILING);
}

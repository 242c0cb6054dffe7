import type { Outcome, SignupSource } from "../../shared/outcomes.ts";
import type { Clock, Log } from "../deps.ts";
import type { SignupRecord } from "../signup/record.ts";

/** Told once per accepted signup, when its first delivery attempt is decided; at least once (decisions §6). */
export interface SubscribedEvent {
  email: string;
  list: string;
  source: SignupSource;
  outcome: Outcome;
  record: SignupRecord;
  /** When the visitor signed up, Unix milliseconds. */
  at: number;
}

/** Told for every authenticated webhook while the Inbound webhooks module is on (contract §6). */
export interface WebhookEvent {
  /** The body as it came, parsed. */
  payload: Record<string, unknown>;
  action: "queued" | "ignored" | "received";
  at: number;
}

/** Told when a tab that pages were built from has been saved (contract §6). */
export interface PurgeEvent {
  tab: "form" | "forms" | "popup" | "coupon";
}

export interface Actions {
  cfbe_subscribed(event: SubscribedEvent): unknown;
  cfbe_webhook_received(event: WebhookEvent): unknown;
  cfbe_purge_page_cache(event: PurgeEvent): unknown;
}

export interface Filters {
  /** @param ip what the Privacy setting found. Answer the visitor's IP; what is none is passed over. */
  cfbe_client_ip(ip: string, request: Request): string | Promise<string>;
  /** @param perMinute the contract's 30. Answer signups per minute for the site; 0 switches the limit off. */
  cfbe_signup_site_limit(perMinute: number): number | Promise<number>;
  /** @param capability what an admin action asks for. Answer the capability to ask for instead. */
  cfbe_capability(capability: string): string | Promise<string>;
}

/** Code of the site's owner, called by this program. Nothing it does may cost a signup. */
export interface Hooks {
  /** Call an action. Resolves when it has ended, failed or run out of time; never rejects. */
  act<Name extends keyof Actions>(name: Name, event: Parameters<Actions[Name]>[0]): Promise<void>;
  /** Pass a value through a filter. Without one, or when it fails or runs out of time: the value itself. */
  filter<Name extends keyof Filters>(
    name: Name,
    ...args: Parameters<Filters[Name]>
  ): Promise<Parameters<Filters[Name]>[0]>;
}

/** An action may take this long; then the program goes on without it. */
export const ACTION_LIMIT_MS = 10_000;
/** A filter stands in the visitor's way, so it gets less. */
export const FILTER_LIMIT_MS = 1_000;

/** @param own what the config file registers */
export function createHooks(
  own: { actions?: Partial<Actions>; filters?: Partial<Filters> },
  { clock, log }: { clock: Clock; log: Log },
): Hooks {
  /** The call's value, or undefined after a failure or when `limitMs` have passed. */
  async function guarded(name: string, call: () => unknown, limitMs: number): Promise<unknown> {
    const ended = new AbortController();
    const late = Symbol("late");
    try {
      const value = await Promise.race([
        Promise.resolve().then(call),
        clock.sleep(limitMs, ended.signal).then(() => late),
      ]);
      if (value !== late) return value;
      log.error("hook.late", { hook: name, limitMs });
    } catch (error) {
      log.error("hook.failed", { hook: name, error });
    } finally {
      // The standard reason would be an exception with a stack, for every visitor.
      ended.abort("ended");
    }
    return undefined;
  }

  return {
    async act(name, event) {
      const action = own.actions?.[name] as ((event: unknown) => unknown) | undefined;
      if (action) await guarded(name, () => action(event), ACTION_LIMIT_MS);
    },
    async filter(name, ...args) {
      const filter = own.filters?.[name] as ((...args: unknown[]) => unknown) | undefined;
      if (!filter) return args[0];
      const value = await guarded(name, () => filter(...args), FILTER_LIMIT_MS);
      return (value ?? args[0]) as typeof args[0];
    },
  };
}

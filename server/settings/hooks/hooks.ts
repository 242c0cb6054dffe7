import type { Clock, Log } from "../../platform/deps.ts";
import { LATE, within } from "../../platform/time/within.ts";
import type { Actions, FilterResult, Filters, Listeners } from "./types.ts";
import { isValidResult } from "./values.ts";

export type * from "./types.ts";

/** The site owner's code, called by cfbe. Whatever it does, no signup is lost. */
export interface Hooks {
  /** Returns whether a hook has listeners. */
  has(name: keyof Actions | keyof Filters): boolean;
  /**
   * Calls every listener of an action, one after the other, each with its own copy of the event. Resolves
   * when all have ended, failed or timed out; never rejects.
   *
   * @returns whether none failed or timed out
   */
  emit<Name extends keyof Actions>(name: Name, event: Parameters<Actions[Name]>[0]): Promise<boolean>;
  /**
   * Passes a value through every listener of a filter; each gets the previous result. A listener that fails,
   * times out or returns an invalid value is skipped. Where `false` is a valid result, it ends the chain.
   */
  filter<Name extends keyof Filters>(
    name: Name,
    ...args: Parameters<Filters[Name]>
  ): Promise<FilterResult<Name>>;
}

/** Timeout for a listener of an action. */
export const ACTION_LIMIT_MS = 10_000;
/** Timeout for a listener of a filter. It is shorter because the visitor waits. */
export const FILTER_LIMIT_MS = 1_000;

type Call = (...args: unknown[]) => unknown;

/**
 * Creates the hooks.
 *
 * @param own listeners from the config file
 */
export function createHooks(
  own: { actions?: Listeners<Actions>; filters?: Listeners<Filters> },
  { clock, log }: { clock: Clock; log: Log },
): Hooks {
  /** The listeners of each hook with their log fields: their position, if there are several. */
  const listeners = new Map<string, { call: Call; fields: Record<string, unknown> }[]>();
  for (const [hook, found] of Object.entries({ ...own.actions, ...own.filters })) {
    if (found === undefined) continue;
    const calls = (Array.isArray(found) ? found : [found]) as Call[];
    listeners.set(
      hook,
      calls.map((call, at) => ({ call, fields: { hook, ...(calls.length > 1 && { listener: at + 1 }) } })),
    );
  }
  const listenersOf = (name: keyof Actions | keyof Filters) => listeners.get(name) ?? [];

  /** Returns the call's result, or undefined if it fails or takes longer than `limitMs`; `failed` is called then. */
  async function guarded(
    fields: Record<string, unknown>,
    call: () => unknown,
    limitMs: number,
    failed = () => {},
  ) {
    try {
      const value = await within<unknown>(limitMs, clock, Promise.resolve().then(call));
      if (value !== LATE) return value;
      failed();
      log.error("hook.timed_out", { ...fields, limitMs });
    } catch (error) {
      failed();
      log.error("hook.failed", { ...fields, error });
    }
    return undefined;
  }

  return {
    has: (name) => listenersOf(name).length > 0,

    async emit(name, event) {
      let failures = 0;
      for (const { call, fields } of listenersOf(name)) {
        await guarded(fields, () => call(structuredClone(event)), ACTION_LIMIT_MS, () => failures++);
      }
      return failures === 0;
    },

    async filter<Name extends keyof Filters>(name: Name, ...args: Parameters<Filters[Name]>) {
      const [first, ...context] = args as unknown[];
      let value = first;
      for (const { call, fields } of listenersOf(name)) {
        // A copy, so that a listener that fails half-way has changed nothing.
        const result = await guarded(fields, () => call(structuredClone(value), ...context), FILTER_LIMIT_MS);
        if (result === undefined) continue;
        if (isValidResult(name, result)) value = result;
        else log.error("hook.invalid_result", fields);
        if (value === false) break;
      }
      return value as FilterResult<Name>;
    },
  };
}

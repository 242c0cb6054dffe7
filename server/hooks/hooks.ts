import type { Clock, Log } from "../deps.ts";
import type { Actions, Filtered, Filters, Listeners } from "./types.ts";
import { isAnswerTo } from "./values.ts";

export type * from "./types.ts";

/** Code of the site's owner, called by this program. Nothing it does may cost a signup. */
export interface Hooks {
  /** Whether anybody listens. */
  has(name: keyof Actions | keyof Filters): boolean;
  /**
   * Tell every listener of an action, one after the other, each with an event of its own. Resolves when all have
   * ended, failed or run out of time; never rejects.
   */
  act<Name extends keyof Actions>(name: Name, event: Parameters<Actions[Name]>[0]): Promise<void>;
  /**
   * Pass a value through every listener of a filter, each getting what the one before answered. One that fails,
   * runs out of time or answers what can't be is passed over. `false` ends it where it is an answer.
   */
  filter<Name extends keyof Filters>(
    name: Name,
    ...args: Parameters<Filters[Name]>
  ): Promise<Filtered<Name>>;
}

/** A listener of an action may take this long; then the program goes on without it. */
export const ACTION_LIMIT_MS = 10_000;
/** A filter stands in the visitor's way, so each of its listeners gets less. */
export const FILTER_LIMIT_MS = 1_000;

type Call = (...args: unknown[]) => unknown;

/** @param own what the config file registers */
export function createHooks(
  own: { actions?: Listeners<Actions>; filters?: Listeners<Filters> },
  { clock, log }: { clock: Clock; log: Log },
): Hooks {
  /** Whoever listens, and how the log calls them: by their place, where there are several. */
  function listenersOf(name: keyof Actions | keyof Filters): { call: Call; told: Record<string, unknown> }[] {
    const found = { ...own.actions, ...own.filters }[name] as Call | Call[] | undefined;
    if (found === undefined) return [];
    const calls = Array.isArray(found) ? found : [found];
    return calls.map((call, at) => ({
      call,
      told: { hook: name, ...(calls.length > 1 && { listener: at + 1 }) },
    }));
  }

  /** The call's value, or undefined after a failure or when `limitMs` have passed. */
  async function guarded(told: Record<string, unknown>, call: () => unknown, limitMs: number) {
    const ended = new AbortController();
    const late = Symbol("late");
    try {
      const value: unknown = await Promise.race([
        Promise.resolve().then(call),
        clock.sleep(limitMs, ended.signal).then(() => late),
      ]);
      if (value !== late) return value;
      log.error("hook.timed_out", { ...told, limitMs });
    } catch (error) {
      log.error("hook.failed", { ...told, error });
    } finally {
      // The standard reason would be an exception with a stack, for every visitor.
      ended.abort("ended");
    }
    return undefined;
  }

  return {
    has: (name) => listenersOf(name).length > 0,

    async act(name, event) {
      for (const { call, told } of listenersOf(name)) {
        await guarded(told, () => call(structuredClone(event)), ACTION_LIMIT_MS);
      }
    },

    async filter<Name extends keyof Filters>(name: Name, ...args: Parameters<Filters[Name]>) {
      const [first, ...context] = args as unknown[];
      let value = first;
      for (const { call, told } of listenersOf(name)) {
        // A copy: what fails half-way has changed nothing.
        const answer = await guarded(told, () => call(structuredClone(value), ...context), FILTER_LIMIT_MS);
        if (answer === undefined) continue;
        if (isAnswerTo(name, answer)) value = answer;
        else log.error("hook.invalid_result", told);
        if (value === false) break;
      }
      return value as Filtered<Name>;
    },
  };
}

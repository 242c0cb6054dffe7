import type { Clock, Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { jobKey } from "../jobs/row.ts";
import { cas } from "../kv/cas.ts";
import { readRow } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { ProviderEvent } from "../provider/webhook.ts";
import { signupKey } from "../signup/record/row.ts";
import { checkJob } from "./check_job.ts";
import { combineActions, type HookAction, ruleFor } from "./events.ts";

/**
 * How many events or checks share a commit: a provider may report a hundred events in a call, and gives up on it after
 * three seconds.
 */
const PER_COMMIT = 25;

type CheckJob = ReturnType<typeof checkJob>;

export interface EventHandlerDeps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  activation: { isActive(): boolean };
  /** Wakes the job runner. */
  wake: () => void;
}

/** Returns a function that queues the checks for webhook events and returns the action of the response (contract 7.9). */
export function createEventHandler(
  deps: EventHandlerDeps,
): (events: readonly ProviderEvent[]) => Promise<HookAction> {
  const { kv, clock, activation, wake } = deps;

  /** Queues checks, except those that are already waiting. While cfbe is deactivated, they wait for activation. */
  async function queueChecks(jobs: readonly CheckJob[]) {
    for (let from = 0; from < jobs.length; from += PER_COMMIT) {
      const some = jobs.slice(from, from + PER_COMMIT);
      await cas(kv, { existing: some.map(({ id }) => jobKey(id)) }, ({ existing }) => ({
        value: undefined,
        write(tx) {
          const now = clock.now();
          const parked = !activation.isActive();
          some.forEach((job, i) => addJob(tx, existing[i]!, { ...job, due: now, parked }, now));
        },
      }), deps);
    }
    if (jobs.length > 0) wake();
  }

  /** Returns the lists on which the event's address has a signup; only the event's list, if it names one. */
  async function listsOf(event: ProviderEvent): Promise<string[]> {
    if (event.email === undefined) return [];
    if (event.kind === "subscription" && event.list !== undefined) {
      return await readRow(kv, signupKey(event.email, event.list)) ? [event.list] : [];
    }
    const lists: string[] = [];
    for await (const { key } of kv.list({ prefix: keys.signupsOf(event.email) })) {
      lists.push(String(key.at(-1)));
    }
    return lists;
  }

  return async (events) => {
    const actions: HookAction[] = [];
    for (let from = 0; from < events.length; from += PER_COMMIT) {
      const some = events.slice(from, from + PER_COMMIT);
      const found = await Promise.all(some.map(listsOf));
      const checks = new Map<string, CheckJob>();
      for (const [i, event] of some.entries()) {
        const { check, action, otherwise } = ruleFor(event);
        for (const list of found[i]!) {
          const job = checkJob({ email: event.email!, list }, check);
          checks.set(job.id, checks.get(job.id) ?? job);
        }
        actions.push(found[i]!.length > 0 ? action : otherwise);
      }
      await queueChecks([...checks.values()]);
    }
    return combineActions(actions);
  };
}

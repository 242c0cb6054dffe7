import type { ConfirmedBy } from "../../shared/outcomes.ts";
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

  /** Queues a check, unless it is already waiting. While cfbe is deactivated, the check waits for activation. */
  async function queueCheck(email: string, list: string, by: ConfirmedBy) {
    const job = checkJob({ email, list }, by);
    await cas(kv, { existing: jobKey(job.id) }, ({ existing }) => ({
      value: undefined,
      write(tx) {
        addJob(tx, existing, { ...job, due: clock.now(), parked: !activation.isActive() }, clock.now());
      },
    }), deps);
    wake();
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
    for (const event of events) {
      const { check, action, otherwise } = ruleFor(event);
      const lists = await listsOf(event);
      for (const list of lists) await queueCheck(event.email!, list, check);
      actions.push(lists.length > 0 ? action : otherwise);
    }
    return combineActions(actions);
  };
}

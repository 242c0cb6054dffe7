import type { Clock, Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { cas } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { ProviderEvent } from "../../providers/port/webhook.ts";
import type { SignupProviders } from "../record/provider_of.ts";
import { signupKey, type SignupRecord } from "../record/row.ts";
import { checkJob } from "./check_job.ts";
import { identifyJob } from "./identify_payload.ts";
import { combineActions, type HookAction, ruleFor } from "./events.ts";

/**
 * How many events are looked up at once, and how many checks share a commit, if the database allows it: a provider may
 * report a hundred events in a call, and gives up on it after three seconds.
 */
const TOGETHER = 25;

type EventJob = ReturnType<typeof checkJob> | ReturnType<typeof identifyJob>;
/** An event with an address, or without any person. */
type NamedEvent = Exclude<ProviderEvent, { kind: "unnamed" }>;

export interface EventHandlerDeps {
  kv: Kv;
  clock: Clock;
  random: Random;
  activation: { isActive(): boolean };
  signupProviders: Pick<SignupProviders, "nameOf">;
  /** Wakes the job runner. */
  wake: () => void;
}

/**
 * Returns a function that queues the checks for the events of one provider's webhook, and returns the action of the
 * response (contract 7.9).
 */
export function createEventHandler(
  deps: EventHandlerDeps,
): (events: readonly ProviderEvent[], provider: string) => Promise<HookAction> {
  const { kv, clock, activation, signupProviders, wake } = deps;

  /** Queues jobs, except those that are already waiting. While cfbe is deactivated, they wait for activation. */
  async function queueJobs(jobs: readonly EventJob[]) {
    const perCommit = Math.min(TOGETHER, kv.engine.limits.checks);
    const commits: Promise<void>[] = [];
    for (let from = 0; from < jobs.length; from += perCommit) {
      const some = jobs.slice(from, from + perCommit);
      commits.push(cas(kv, { existing: some.map(({ id }) => jobKey(id)) }, ({ existing }) => ({
        value: undefined,
        write(tx) {
          const now = clock.now();
          const parked = !activation.isActive();
          some.forEach((job, i) => addJob<unknown>(tx, existing[i]!, { ...job, due: now, parked }, now));
        },
      }), deps));
    }
    await Promise.all(commits);
    if (jobs.length > 0) wake();
  }

  /**
   * Returns the lists of the provider on which the event's address has a signup; only the event's list, if it names one.
   */
  async function listsOf(event: NamedEvent, provider: string): Promise<string[]> {
    if (event.email === undefined) return [];
    const isItsOwn = (record: SignupRecord) => signupProviders.nameOf(record) === provider;
    if (event.kind === "subscription" && event.list !== undefined) {
      const record = await readRow(kv, signupKey(event.email, event.list));
      return record && isItsOwn(record) ? [event.list] : [];
    }
    const lists: string[] = [];
    for await (const { value } of kv.list<SignupRecord>({ prefix: keys.signupsOf(event.email) })) {
      if (isItsOwn(value)) lists.push(value.list);
    }
    return lists;
  }

  return async (events, provider) => {
    const actions: HookAction[] = [];
    const jobs = new Map<string, EventJob>();
    for (let from = 0; from < events.length; from += TOGETHER) {
      const some = events.slice(from, from + TOGETHER);
      const found = await Promise.all(
        some.map((event) => event.kind === "unnamed" ? [] : listsOf(event, provider)),
      );
      for (const [i, event] of some.entries()) {
        const { check, action, otherwise } = ruleFor(event);
        if (event.kind === "unnamed") {
          const job = identifyJob(event, provider);
          jobs.set(job.id, job);
          actions.push(action);
          continue;
        }
        for (const list of found[i]!) {
          const job = checkJob({ email: event.email!, list }, check);
          jobs.set(job.id, jobs.get(job.id) ?? job);
        }
        actions.push(found[i]!.length > 0 ? action : otherwise);
      }
    }
    await queueJobs([...jobs.values()]);
    return combineActions(actions);
  };
}

import type { LocalStatus } from "../../../shared/outcomes.ts";
import { keys } from "../../kv/keys.ts";
import { unresolved } from "../../observe/provider_health.ts";
import { missingFields } from "../../settings/provider.ts";
import type { AdminServices } from "../services.ts";
import { dayOf } from "./overview_numbers.ts";

const STEPS = ["provider", "connection", "list", "form", "snippet", "signup"] as const;
export type StepName = typeof STEPS[number];

/** What the steps are derived from: settings and records, and nothing that would be kept for them. */
export interface Facts {
  /** No setting that the provider needs is missing. */
  provider: boolean;
  /** The provider has answered, and has not refused the key since. */
  connected: boolean;
  defaultList: boolean;
  forms: number;
  /** A visitor has seen a form lately. */
  seen: boolean;
  /** The newest signup that waits, if any does. */
  waiting: { status: LocalStatus; since: number } | undefined;
  /** Somebody has confirmed. */
  confirmed: boolean;
}

export interface FirstRun {
  /** Somebody has confirmed: nothing is left to show. */
  done: boolean;
  steps: { name: StepName; done: boolean }[];
  /** The first step that is not done; undefined when all are. */
  current: StepName | undefined;
  /** How many steps are not done. */
  left: number;
  facts: Facts;
}

/** What is done, and what comes next. Whoever has confirmed proves all that comes before. */
export function firstRunFrom(facts: Facts): FirstRun {
  const own: Record<StepName, boolean> = {
    provider: facts.provider,
    connection: facts.connected,
    list: facts.defaultList,
    form: facts.forms > 0,
    snippet: facts.seen || facts.waiting !== undefined,
    signup: facts.confirmed,
  };
  const steps = STEPS.map((name) => ({ name, done: facts.confirmed || own[name] }));
  const open = steps.filter(({ done }) => !done);
  return { done: facts.confirmed, steps, current: open[0]?.name, left: open.length, facts };
}

/** Without a view for this long, the snippet does not count as pasted. */
const SEEN_DAYS = 30;

export async function firstRunOf(app: AdminServices): Promise<FirstRun> {
  const { kv, counters, clock, settings, health } = app;
  const { general, forms } = settings.current();
  const today = dayOf(clock.now());
  const confirmed = await newest(kv, "active") !== undefined;
  const [counts, calls, pending, queued] = await Promise.all([
    confirmed ? [] : counters.days(today - SEEN_DAYS + 1, today + 1),
    health.read(),
    newest(kv, "pending"),
    newest(kv, "queued"),
  ]);
  const answered = Object.values(calls).some(({ okAt }) => okAt !== undefined);
  const refused = unresolved(calls).some(({ call, code }) => call === "connection" || code === "forbidden");
  return firstRunFrom({
    provider: missingFields(settings.current(), settings.providers).length === 0,
    connected: !refused && (answered || general.knownLists.length > 0),
    defaultList: general.defaultList !== "",
    forms: forms.forms.length,
    seen: counts.some(({ entry }) => entry === "note.seen"),
    waiting: pending ?? queued,
    confirmed,
  });
}

/** One signup of a status: any tells that there is one. */
async function newest(
  kv: Deno.Kv,
  status: LocalStatus,
): Promise<{ status: LocalStatus; since: number } | undefined> {
  for await (
    const { key } of kv.list({ prefix: keys.byStatusAll(status) }, { limit: 1, reverse: true })
  ) return { status, since: key.at(-2) as number };
}

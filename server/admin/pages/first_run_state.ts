import type { LocalStatus } from "../../../shared/outcomes.ts";
import { keys } from "../../kv/keys.ts";
import { otherListsSource } from "../../ops/lists.ts";
import { readProviderChecks } from "../../ops/provider_checks.ts";
import { missingFields } from "../../settings/provider.ts";
import type { AdminServices } from "../services.ts";
import { siteDay } from "../../observe/site_days.ts";
import { isCountedForm } from "../../signup/form/test_form.ts";
import { funnelOf } from "../../observe/funnel.ts";
import { connectionOf } from "./provider/connection_state.ts";

const STEPS = ["provider", "connection", "list", "form", "snippet", "signup"] as const;
export type StepName = typeof STEPS[number];

/** What the steps are derived from. Comes from settings and records; no progress is stored. */
export interface Facts {
  /** No setting that the provider needs is missing. */
  provider: boolean;
  /** The connection works, as on the Provider page. */
  connected: boolean;
  defaultList: boolean;
  /** The known lists were loaded from another provider, before this one was chosen. */
  otherLists: boolean;
  forms: number;
  /** A visitor has seen a form recently, other than on the demo and the test page. */
  seen: boolean;
  /** The newest signup that is not confirmed yet, if any. */
  waiting: { status: LocalStatus; since: number } | undefined;
  /** Someone has confirmed, even if the person has unsubscribed or was erased since. */
  confirmed: boolean;
}

export interface FirstRun {
  /** Someone has confirmed, so there is nothing left to show. */
  done: boolean;
  steps: { name: StepName; done: boolean }[];
  /** The first step that is not done; undefined when all are. */
  current: StepName | undefined;
  /** How many steps are not done. */
  left: number;
  facts: Facts;
}

/** Returns which steps are done and which is next. A confirmed signup proves that all other steps are done. Pure. */
export function firstRunFrom(facts: Facts): FirstRun {
  const own: Record<StepName, boolean> = {
    provider: facts.provider,
    connection: facts.connected,
    list: facts.defaultList && !facts.otherLists,
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
  const today = siteDay(settings.current(), clock.now());
  const active = await newest(kv, "active") !== undefined;
  const [counts, calls, checks, listsSource, pending, queued] = await Promise.all([
    // Counters are kept permanently, so they show a confirmation whose record is gone.
    active ? [] : counters.days(0, today + 1),
    health.read(),
    readProviderChecks(app, general.provider),
    otherListsSource(app),
    newest(kv, "pending"),
    newest(kv, "queued"),
  ]);
  return firstRunFrom({
    provider: missingFields(settings.current(), settings.providers).length === 0,
    connected: connectionOf(general.provider, checks.connection, calls).state === "works",
    defaultList: general.defaultList !== "",
    otherLists: listsSource !== undefined,
    forms: forms.forms.length,
    seen: counts.some(({ day, form, entries }) =>
      isCountedForm(form) && entries["note.seen"] !== undefined && day > today - SEEN_DAYS
    ),
    waiting: pending ?? queued,
    confirmed: active || funnelOf(counts, { from: 0, until: today + 1 }).confirmed > 0,
  });
}

/** Returns a signup with this status, or undefined if there is none. With several lists, it may not be the newest. */
async function newest(
  kv: Deno.Kv,
  status: LocalStatus,
): Promise<{ status: LocalStatus; since: number } | undefined> {
  for await (
    const { key } of kv.list({ prefix: keys.byStatusAll(status) }, { limit: 1, reverse: true })
  ) return { status, since: key.at(-2) as number };
}

import type { LocalStatus } from "../../../shared/outcomes.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import { otherListsSource } from "../../operations/provider/lists.ts";
import { readProviderChecks } from "../../operations/provider/latest_tests.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { missingFields } from "../../settings/store/provider.ts";
import type { AdminServices } from "../frame/services.ts";
import { siteDay } from "../../settings/schema/time_zone.ts";
import { signupKey } from "../../signup/record/row.ts";
import { isCountedForm, withoutTests } from "../../forms/public/test_form.ts";
import { funnelOf } from "../../platform/observe/funnel.ts";
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
  /** The newest signup that is not confirmed yet, if any, without test signups. Not read once a signup is active. */
  waiting: Found | undefined;
  /** Someone has confirmed other than a test signup, even if the person has unsubscribed or was erased since. */
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

export async function firstRunOf(
  app: Pick<AdminServices, "kv" | "counters" | "clock" | "settings" | "health" | "keyring">,
): Promise<FirstRun> {
  const { kv, counters, clock, settings, health } = app;
  const { general, forms } = settings.current();
  const today = siteDay(settings.current(), clock.now());
  const first = await firstSignup(kv);
  const active = first?.status === "active";
  const [counts, calls, checks, listsSource] = await Promise.all([
    // Counters are kept permanently, so they show a confirmation whose record is gone.
    active ? [] : counters.days(0, today + 1).then(withoutTests),
    health.read(),
    readProviderChecks(app, general.provider),
    otherListsSource(app),
  ]);
  return firstRunFrom({
    provider: missingFields(settings.current(), settings.providers).length === 0,
    connected: connectionOf(general.provider, checks.connection, calls).state === "works",
    defaultList: general.defaultList !== "",
    otherLists: listsSource !== undefined,
    forms: forms.forms.length,
    seen: counts.some(({ day, entries }) => entries["note.seen"] !== undefined && day > today - SEEN_DAYS),
    waiting: active ? undefined : first,
    confirmed: active || funnelOf(counts, { from: 0, until: today + 1 }).confirmed > 0,
  });
}

/**
 * Returns a signup that has come as far as any: active, else pending, else queued. A signup may move on between two
 * reads, so the statuses are read in the order in which it has them, after a first look for an active one.
 */
async function firstSignup(kv: Kv): Promise<Found | undefined> {
  const active = await newest(kv, "active");
  if (active) return active;
  const queued = await newest(kv, "queued");
  return await newest(kv, "pending") ?? queued ?? await newest(kv, "active");
}

interface Found {
  status: LocalStatus;
  since: number;
}

/** So many signups are read to find one that is not a test. */
const MOST_READ = 50;

/**
 * Returns a signup with this status, or undefined if there is none. With several lists, it may not be the newest. Test
 * signups don't count: nobody has to put a form on a page for them.
 */
async function newest(
  kv: Kv,
  status: LocalStatus,
): Promise<Found | undefined> {
  const prefix = keys.byStatusAll(status);
  for await (const { key } of kv.list({ prefix }, { limit: MOST_READ, reverse: true })) {
    const [list, since, email] = key.slice(-3) as [string, number, string];
    const record = await readRow(kv, signupKey(email, list));
    if (record && isCountedForm(record.form ?? "")) return { status, since };
  }
}

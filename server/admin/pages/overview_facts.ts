import { isLoopback } from "../../config.ts";
import { createJobAdmin } from "../../jobs/job_admin.ts";
import type { DayCount } from "../../observe/counters.ts";
import { unresolved } from "../../observe/provider_health.ts";
import { incompleteModules } from "../../ops/incomplete_modules.ts";
import { chosenLists } from "../../ops/lists.ts";
import { isPlainHttp } from "../../ops/start_warnings.ts";
import { isSandbox, missingFields } from "../../settings/provider.ts";
import type { AdminServices } from "../services.ts";
import type { Settings } from "../../settings/schema.ts";
import type { SettingsStore } from "../../settings/store.ts";
import type { Facts } from "./overview_attention.ts";
import { dayOf, entriesOf, funnelOf } from "./overview_numbers.ts";

const WEEK = 7;
const FOUR_WEEKS = 28;
/** Number of days that `readFacts` needs, including today. */
export const DAYS_NEEDED = 1 + WEEK + FOUR_WEEKS;

/** Reads the facts for the rules, without a request to the provider. @param counts of `DAYS_NEEDED` days or more */
export async function readFacts(app: AdminServices, counts: readonly DayCount[]): Promise<Facts> {
  const now = app.clock.now();
  const today = dayOf(now);
  const settings = app.settings.current();
  const [dead, health] = await Promise.all([
    createJobAdmin(app).list({ state: "dead", limit: 100 }),
    app.health.read(),
  ]);
  const week = entriesOf(counts, { from: today - WEEK + 1, until: today + 1 });
  const of = (entry: string) => week[entry] ?? 0;
  return {
    now,
    active: app.activation.isActive(),
    missing: missingIn(app.settings),
    sandboxInPublic: isSandbox(settings) && !isLoopback(app.config.baseUrl),
    unknownVisitors: app.proxyHeaders.read().unknown,
    plainHttp: isPlainHttp(app.config.baseUrl),
    incomplete: incompleteModules(settings, app.shop()),
    deadJobs: dead.rows.length,
    troubles: unresolved(health),
    singleOptIn: singleOptIn(settings),
    week: {
      accepted: of("accepted"),
      confirmed: {
        webhook: of("note.confirmed.webhook"),
        automation: of("note.confirmed.automation"),
        poll: of("note.confirmed.poll"),
      },
      cfgUnverified: of("note.cfg_unverified"),
      tokenOld: of("dropped.token_old"),
    },
    lately: funnelOf(counts, { from: today - WEEK, until: today }),
    before: funnelOf(counts, { from: today - WEEK - FOUR_WEEKS, until: today - WEEK }),
  };
}

/** Returns nouns for the settings that must be entered before signups can be delivered. */
function missingIn({ current, providers }: SettingsStore): string[] {
  return [
    ...missingFields(current(), providers).map(([, { noun }]) => noun),
    ...(current().general.defaultList === "" ? ["a default list"] : []),
  ];
}

/** Returns the names of lists in use that had no double opt-in when the lists were last loaded. */
function singleOptIn(settings: Settings): string[] {
  const chosen = chosenLists(settings);
  return settings.general.knownLists.filter(({ id, doubleOptIn }) => !doubleOptIn && chosen.has(id))
    .map(({ name }) => name);
}

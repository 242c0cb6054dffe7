import type { ConfirmedBy } from "../../../shared/outcomes.ts";
import type { DiskSpace } from "../../platform/kv/database_file.ts";
import type { DatabaseCause } from "../../platform/kv/trouble.ts";
import type { Funnel } from "../../platform/observe/funnel.ts";
import type { Unresolved } from "../../providers/provider_health.ts";
import type { IncompleteModule } from "./incomplete_modules.ts";

/** Something that needs the operator's attention. The Overview, the alerts and their notifications show the same texts. */
export interface Problem {
  /** Kind of problem, such as `jobs.dead`. */
  id: string;
  /** `bad`: signups are being lost or turned away. `warn`: they may be. */
  tone: "bad" | "warn";
  what: string;
  /** What to do, for whoever runs cfbe: it may name commands. */
  todo: string;
  /** What to do, for users of the admin who can't run commands there; by default `todo`. */
  todoForOthers?: string;
  /** Certain enough for an alert at once, where the kind of alert otherwise waits. */
  certain?: true;
  /** The page of the admin where it can be fixed. `personal`: it shows personal data, which not every user may see. */
  link?: { to: string; label: string; personal?: boolean };
  /** An action without input that fixes it. */
  action?: {
    name: string;
    label: string;
    /** Set if it cannot be undone: the question to confirm it, and its consequences. */
    asks?: { title: string; text: string };
  };
}

/** When backups were made, in Unix milliseconds. */
export interface BackupHistory {
  /** When the latest complete ones were, oldest first. */
  completedAt: readonly number[];
  /** When the latest one began, and when the latest failure was. */
  startedAt?: number | undefined;
  failedAt?: number | undefined;
}

/** What the rules know about the database. */
export interface DatabaseFacts {
  /** What fails now, or was damaged since the start. */
  failure: { cause: DatabaseCause; reason: string } | undefined;
  /** Path of an embedded database; undefined for a server. */
  file: string | undefined;
  disk: DiskSpace | undefined;
}

/** Input of the rules. */
export interface Facts {
  /** Unix milliseconds. */
  now: number;
  active: boolean;
  /** Nouns for the settings that must be entered before signups are accepted. */
  missing: readonly string[];
  /** The sandbox is the provider, and the base URL is public. */
  sandboxInPublic: boolean;
  /** How many recent requests came without the visitor's IP. */
  unknownVisitors: number;
  /** The base URL uses http and is not a loopback address. */
  plainHttp: boolean;
  /** Sites whose pages asked for a form, but are not on an allowed origin. */
  refusedOrigins: readonly string[];
  /** Modules that are on, but lack settings. */
  incomplete: readonly IncompleteModule[];
  /** Why the shop did not create the latest discount code; undefined if it did, or while coupons are off. */
  couponTrouble: string | undefined;
  /** Failed jobs, counted up to 100. */
  deadJobs: number;
  /** Jobs that wait too long (see `waitsTooLong`), counted up to 100. */
  jobsTooLate: number;
  /** Rows that passes over the database have skipped, because they can't be read or used. */
  skippedRows: number;
  /** Failed provider calls without a later success, the latest first. */
  troubles: readonly Unresolved[];
  /** Signups whose delivery waits, counted up to 100, and only while there are `troubles`. */
  waitingDeliveries: number;
  /** Open confirmations at providers whose key was removed, by the provider's title; counted up to 100 in all. */
  unreachable: readonly { provider: string; count: number }[];
  /** Names of lists in use that have no double opt-in. */
  singleOptIn: readonly string[];
  /** The provider can report confirmations to cfbe, and reach it. */
  sendsWebhooks: boolean;
  /** Counters of the last seven days, including today. */
  week: {
    accepted: number;
    /** By what detected the confirmation. */
    confirmed: Readonly<Record<Extract<ConfirmedBy, "webhook" | "automation" | "poll">, number>>;
    cfgUnverified: number;
    tokenOld: number;
  };
  /** Signups of the last two hours that were rejected because the site's limit per minute was reached. */
  overSiteLimit: number;
  backups: BackupHistory;
  database: DatabaseFacts;
  /** The last seven whole days. */
  lately: Funnel;
  /** The four weeks before `lately`. */
  before: Funnel;
}

/** Returns the problem if there is one. */
export type Rule = (facts: Facts) => Problem | undefined;

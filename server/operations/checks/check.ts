import type { AlertKind } from "../../settings/hooks/types.ts";
import type { Readers, Skipped, Values } from "./values.ts";

/** Something that needs the operator's attention. Every place that shows it shows the same texts. */
export interface Problem {
  /** Kind of problem, such as `jobs.dead`. */
  id: string;
  /** `bad`: signups, confirmations or data are being lost. `warn`: they may be. */
  tone: "bad" | "warn";
  what: string;
  /** Why it matters, unless `what` says all of it. The doctor shows it. */
  why?: string;
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

/** What the doctor says about all of its checks in one line, in the order in which it says so. */
export const DOCTOR_LINES = [
  "the database is writable",
  "the disk has free space",
  "the database, salt and token files are private",
  "the public URL leads to this service",
  "the sandbox is not exposed publicly",
  "the API key works",
  "the lists exist and use double opt-in",
  "the email templates exist",
  "the webhook is registered",
  "the shop is connected",
  "visitor IPs are distinguishable",
  "pages with forms are on allowed origins",
  "the rate limits are on",
  "background jobs are running",
  "the processes on the database agree",
  "users of the admin can sign in",
] as const;

/** Where a problem counts. */
interface Places {
  /** Opens an alert of this kind. */
  alert?: AlertKind;
  /** Is on the Overview under what needs attention. */
  overview?: true;
  /** Is a finding of the doctor, whose line this is. */
  doctor?: typeof DOCTOR_LINES[number];
  /** Is logged as a warning at the start, with its ID as the event. */
  start?: true;
  /** Is shown with the result of a connection test. */
  connection?: true;
  /** Turns this member of the response of `/readyz` false. */
  ready?: "database" | "active" | "visitorIps";
  /** Is a notice on these pages of the admin, or what is wrong with a step of their checklists (`/provider#step-list`). */
  pages?: readonly string[];
}

/** A problem without what its check declares. */
export type Found = Omit<Problem, "id" | "tone"> & Partial<Pick<Problem, "id" | "tone">>;

/** A check, declared once: adding one is adding it to the table `CHECKS`. */
export interface Check<Read extends keyof Values = keyof Values> {
  /** Its problems have this ID. If it ends in `.*`, each of them names its own. */
  id: string;
  /** Severity of its problems that name none. */
  tone: Problem["tone"];
  in: Places;
  /** The values that it needs. */
  reads: readonly Read[];
  /** Returns the problem, several of them, or why the check could not run and what to do if it should. Pure. */
  find(values: Pick<Values, Read>): Found | readonly Found[] | Skipped | false | undefined;
}

/** Declares a check. */
export const check = <Read extends keyof Values>(
  id: string,
  tone: Problem["tone"],
  about: Omit<Check<Read>, "id" | "tone">,
): Check => ({ id, tone, ...about });

/** Returns what a check finds in values, of which those that it reads must be there. */
export function found(
  { id, tone, reads, find }: Check,
  values: { readonly [Name in keyof Values]?: Values[Name] | Skipped },
): Problem[] | Skipped {
  const unread = reads.map((name) => values[name]).find(isSkipped);
  const result = unread ?? find(values as Values);
  if (!result) return [];
  if (isSkipped(result)) return result;
  return [result].flat().map((each) => ({ id, tone, ...each }));
}

/** Returns whether a value could not be read, or a check could not run. */
export function isSkipped(value: unknown): value is Skipped {
  return typeof value === "object" && value !== null && "skipped" in value;
}

/** Returns the value with a name. */
export type Reading = (name: keyof Values) => Promise<unknown>;

/** Returns what reads each value once, when the first check needs it. */
export function readingOf<App>(app: App, readers: Readers<App>): Reading {
  const read = new Map<keyof Values, Promise<unknown>>();
  return (name) => {
    const value = read.get(name) ?? Promise.resolve().then(() => readers[name]!(app));
    read.set(name, value);
    return value;
  };
}

/** Reads what a check needs, and returns what it finds. */
export async function run(check: Check, read: Reading): Promise<Problem[] | Skipped> {
  const values = await Promise.all(check.reads.map(async (name) => [name, await read(name)] as const));
  return found(check, Object.fromEntries(values));
}

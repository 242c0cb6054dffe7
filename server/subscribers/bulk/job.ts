import type { Audit } from "../../platform/audit/audit.ts";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { Fence, JobDefinition } from "../../platform/jobs/handler.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { createBadRows } from "../../platform/kv/bad_rows.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { SignupProviders } from "../../signup/record/provider_of.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import type { RunPayload } from "../person/run_jobs.ts";
import { type ActionResult, resend } from "../person/actions.ts";
import { bulkRun, bulkRunKey, type BulkRunRow, type BulkWork, sealedWork } from "./run.ts";
import { type SelectedPage, selectedPage } from "./selection.ts";

/** Signups handled per attempt, and the pause between attempts: ten a second, so that new signups are not delayed. */
export const PER_ATTEMPT = 20;
const PAUSE_MS = 2_000;
/** Why a signup is skipped whose row has another shape than the program expects. */
export const CAN_NOT_BE_USED = "The stored signup can't be used: its row may be damaged.";
const UNUSABLE: ActionResult = { kind: "refused", reason: CAN_NOT_BE_USED };

interface Options {
  kv: Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  signupProviders: SignupProviders;
  log: Log;
  audit: Audit;
  people: {
    erase(
      email: string,
      options: { provider: boolean; requestedAt: number },
    ): Promise<{ erased: Record<string, number> }>;
  };
}

type Tally = Pick<BulkRunRow, "done" | "skipped">;

/**
 * Runs a bulk action, a few signups per attempt. After a crash, the next attempt repeats the interrupted one: it erases the
 * same people, and skips those whose history shows a resend since the start.
 */
export function bulkPeople(options: Options): Pick<JobDefinition<RunPayload>, "handle" | "onDead"> {
  const { kv, clock, log } = options;

  /** Stores the progress. @param work undefined once all signups are handled */
  async function save(
    startedAt: number,
    tally: Tally,
    work: BulkWork | undefined,
    fence: Fence,
  ): Promise<void> {
    const sealed = work && await sealedWork.seal(options, work);
    await bulkRun.change(options, startedAt, (run) => {
      const next = sumOf(run, tally);
      return sealed ? { ...next, work: sealed } : bulkRun.ended(next, "done", clock.now());
    }, fence);
  }

  return {
    async handle({ payload: { startedAt }, fence, signal }) {
      const run = await readRow(kv, bulkRunKey);
      if (!run || run.ended || run.startedAt !== startedAt) {
        return { kind: "cancel", reason: "The bulk action has ended." };
      }
      const work = await sealedWork.open(options, run.work);
      if (!work) {
        await bulkRun.end(options, startedAt, "failed");
        return { kind: "cancel", reason: "The selection cannot be decrypted: its salt is no longer listed." };
      }
      const page = await selectedPage(kv, work.selection, work.after, PER_ATTEMPT);
      const attempt: Attempt = {
        run,
        work,
        page,
        save: (...args) => save(startedAt, ...args, fence),
        signal,
      };
      const finished = await (run.act === "resend" ? resendTo : eraseAll)(options, attempt);
      log.info("bulk.progress", { act: run.act, finished });
      return finished
        ? { kind: "done" }
        : { kind: "snooze", until: clock.now() + PAUSE_MS, reason: "More signups to handle." };
    },
    async onDead({ payload }) {
      if (payload) await bulkRun.end(options, payload.startedAt, "failed");
    },
  };
}

interface Attempt {
  run: BulkRunRow;
  work: BulkWork;
  page: SelectedPage;
  /** Stores progress. @param work undefined once all signups are handled */
  save(tally: Tally, work: BulkWork | undefined): Promise<void>;
  signal: AbortSignal;
}

/** Resends the confirmation to one page of signups. @returns whether it was the last one */
async function resendTo(options: Options, { run, work, page, save, signal }: Attempt): Promise<boolean> {
  const tally: Tally = { done: 0, skipped: {} };
  const { kv, each } = createBadRows(options.kv);
  // The job runs only while cfbe is active, and the runner finds the new jobs by itself.
  const deps = { ...options, kv, wake: () => {}, activation: { isActive: () => true } };
  const queue = async ([record]: readonly SignupRecord[]): Promise<ActionResult> =>
    isResent(record!, run) ? { kind: "queued" } : await resend(deps, record!, run.by);
  for (const record of page.records) {
    if (signal.aborted) return false;
    const [acted = UNUSABLE] = await each([record], queue);
    if (acted.kind === "queued") tally.done++;
    else {
      const reason = acted.kind === "absent" ? "The signup no longer exists." : acted.reason;
      tally.skipped[reason] = (tally.skipped[reason] ?? 0) + 1;
    }
  }
  if (tally.done > 0) {
    const action = { name: "cfbe_resend_confirmation" };
    await options.audit.count({ who: run.by, action, result: "done", by: tally.done });
  }
  const { next } = page;
  await save(tally, next === undefined ? undefined : { ...work, after: next });
  return next === undefined;
}

/** Returns whether an interrupted attempt of this run has handled the signup. */
function isResent({ history = [] }: SignupRecord, { startedAt }: BulkRunRow): boolean {
  return history.some((event) => event.kind === "admin" && event.act === "resend" && event.at >= startedAt);
}

/**
 * Erases the people of one page, and never more than were confirmed. Erased people drop out of the selection, so a page
 * is read again until nobody is left on it.
 *
 * @returns whether all are erased
 */
async function eraseAll(
  { people, audit, clock }: Options,
  { run, work: { erasing, ...work }, page, save, signal }: Attempt,
): Promise<boolean> {
  const left = run.total - run.done;
  let chosen = erasing;
  if (!chosen) {
    // Who signed up since the start was not part of what was confirmed.
    const records = page.records.filter(({ createdAt }) => createdAt <= run.startedAt);
    const emails = [...new Set(records.map(({ email }) => email))].slice(0, left);
    chosen = { emails, at: clock.now() };
    if (emails.length > 0) await save(NOTHING, { ...work, erasing: chosen });
  }
  const { emails, at } = chosen;
  for (const [index, email] of emails.entries()) {
    if (signal.aborted) return false;
    const action = { name: "cfbe_erase_person" };
    const end = await audit.begin({ who: run.by, action, target: audit.target(email) });
    await people.erase(email, { provider: run.provider, requestedAt: at });
    await end("done");
    const others = emails.slice(index + 1);
    await save({ done: 1, skipped: {} }, {
      ...work,
      ...(others.length > 0 && { erasing: { emails: others, at } }),
    });
  }
  const isEmpty = emails.length === 0;
  const finished = emails.length === left || (isEmpty && page.next === undefined);
  if (finished) await save(NOTHING, undefined);
  else if (isEmpty) await save(NOTHING, { ...work, after: page.next });
  return finished;
}

const NOTHING: Tally = { done: 0, skipped: {} };

function sumOf(run: BulkRunRow, { done, skipped }: Tally): BulkRunRow {
  const sums = { ...run.skipped };
  for (const [reason, count] of Object.entries(skipped)) sums[reason] = (sums[reason] ?? 0) + count;
  return { ...run, done: run.done + done, skipped: sums };
}

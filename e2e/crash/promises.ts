/** What cfbe promises about emails at a provider, which depends on what the provider shows. */
import { CONFIRMATION_MAILS_PER_MAILBOX } from "../../shared/limits.ts";
import type { SignupStatus } from "../../server/operations/remote/signup_status.ts";
import type { Capabilities } from "../../server/providers/port/capabilities.ts";

/**
 * Returns how many confirmation emails a signup may cause at most. After a request with an unknown result, cfbe reads
 * whether the address is at the provider. If that does not tell whether the email was sent, cfbe repeats the request: one
 * email for each attempt, up to the mail budget of the mailbox (`mail_budget.ts`).
 */
export function mostMails(capabilities: Capabilities, found: readonly SignupStatus[]): number {
  if (showsMailed(capabilities)) return 1;
  const attempts = found.flatMap(({ record, jobs }) => [
    ...(record.history ?? []).map((event) => event.kind === "delivery" ? event.attempt : 1),
    ...jobs.map((job) => job.attempts),
  ]);
  return Math.min(CONFIRMATION_MAILS_PER_MAILBOX.max, Math.max(1, ...attempts));
}

/** Returns whether the provider shows who was sent a confirmation email. */
function showsMailed({ showsPending, sendsSeparately }: Capabilities): boolean {
  return showsPending && !sendsSeparately;
}

/** Returns whether the provider shows somebody who has confirmed, or has not. */
export function isShown({ showsPending }: Capabilities, confirmed: boolean): boolean {
  return showsPending || confirmed;
}

/**
 * Returns whether a delivery waits up to a day because its attempts may have sent as many emails as a mailbox gets in a
 * day. Where the provider shows who was sent an email, all attempts count as one.
 */
export function waitsForMailBudget(capabilities: Capabilities, found: readonly SignupStatus[]): boolean {
  return !showsMailed(capabilities) &&
    found.some(({ record, jobs }) =>
      jobs.length > 0 && record.history?.findLast(({ kind }) => kind === "waiting" || kind === "delivery")
          ?.kind === "waiting"
    );
}

/** A visitor signs up about ten times a second, with three calls for each delivery. */
const CALLS_PER_VISITOR = 30;
const MOST_VISITORS = 8;

/**
 * Returns how many visitors sign up at the same time. With more signups than the account's call budget delivers within a
 * round, nearly all deliveries would wait for the budget, and a kill would rarely hit a call.
 */
export function concurrentVisitors({ limits }: Capabilities): number {
  const { perSecond = Infinity, perMinute = Infinity } = limits;
  // A fifth of the calls of a minute may be sent at once (`token_bucket.ts`).
  const calls = Math.min(perSecond, perMinute / 5);
  return Math.min(MOST_VISITORS, Math.max(1, Math.round(calls / CALLS_PER_VISITOR)));
}

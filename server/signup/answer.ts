import type { Answer, FieldName } from "../../shared/contract.ts";
import type { Texts } from "../../shared/texts/texts.ts";
import type { Clock, Random } from "../deps.ts";
import { ERRORS } from "../http/errors.ts";
import type { Entry } from "../observe/counters.ts";
import type { Admission } from "./admission.ts";
import { createLatest } from "./latest.ts";

/** What a visitor gets, and with which HTTP status: the one table of answers (contract 4.14 to 4.17). */
export interface Reply {
  status: 200 | 400 | 413 | 429 | 503;
  body: Answer;
  /** Milliseconds after which another try makes sense. */
  retryAfterMs?: number;
}

export const replies = {
  /** Every success, and every fake one: nothing in it tells them apart. */
  pending: (texts: Texts): Reply => ({
    status: 200,
    body: { success: true, code: "pending", message: texts.success },
  }),
  alreadyActive: (texts: Texts): Reply => ({
    status: 200,
    body: { success: true, code: "already_active", message: texts.alreadySubscribed },
  }),
  invalid: (texts: Texts, fields: Partial<Record<FieldName, string>>): Reply => ({
    status: ERRORS.invalid.status,
    body: { success: false, code: "invalid", message: texts.invalid, fields },
  }),
  tooLarge: (texts: Texts): Reply => ({
    status: ERRORS.too_large.status,
    body: { success: false, code: "invalid", message: texts.invalid, fields: {} },
  }),
  rateLimited: (texts: Texts, retryAfterMs: number): Reply => ({
    status: ERRORS.rate_limited.status,
    body: { success: false, code: "rate_limited", message: texts.rateLimited },
    retryAfterMs,
  }),
  rejected: (texts: Texts): Reply => ({
    status: ERRORS.rejected.status,
    body: { success: false, code: "rejected", message: texts.error },
  }),
};

/** Returns under what a request is counted, for every source. */
export function entryOf(admission: Admission): Entry {
  switch (admission.kind) {
    case "accepted":
      return "accepted";
    case "filtered":
      return "dropped.filter";
    case "limited":
      return `rate_limited.${admission.by}`;
    case "refused":
      return admission.refusal.reason === "invalid" ? "invalid.fields" : "rejected.not_configured";
  }
}

/** Returns what the visitor gets, from every route that takes signups. */
export function replyOf(admission: Admission, texts: Texts): Reply {
  switch (admission.kind) {
    case "accepted":
    case "filtered":
      return replies.pending(texts);
    case "limited":
      return replies.rateLimited(texts, admission.retryAfterMs);
    case "refused":
      return admission.refusal.reason === "invalid"
        ? replies.invalid(texts, admission.refusal.fields)
        : replies.rejected(texts);
  }
}

/** Makes every success take as long as every other (decision 12). */
export interface Pace {
  /** A request is here, whole: draws its jitter, before anything is known of it. */
  arrive(): Arrival;
}

export interface Arrival {
  /** Note how long this accept took; the floor follows the recent 99th percentile. */
  accepted(): void;
  /** Resolves when a success may leave: at arrival + floor + jitter. */
  leave(): Promise<void>;
}

const JITTER_MS = 50;
const REMEMBERED = 512;
/** A hanging filter, or a step of the time of day during an accept, must not hold up every visitor after it. */
const SLOWEST_ACCEPT_MS = 2_000;

/** @param floorMs `CFBE_ANSWER_FLOOR_MS` */
export function createPace(
  { clock, random, floorMs }: { clock: Clock; random: Random; floorMs: number },
): Pace {
  const latest = createLatest(REMEMBERED);
  let floor = floorMs;

  return {
    arrive() {
      const jitter = random.float() * JITTER_MS;
      const at = clock.now();
      return {
        accepted() {
          latest.note(Math.min(clock.now() - at, SLOWEST_ACCEPT_MS));
          floor = Math.max(floorMs, latest.percentile99());
        },
        async leave() {
          // Never longer than the whole: the time of day may have gone back since.
          await clock.sleep(Math.min(at - clock.now(), 0) + floor + jitter);
        },
      };
    },
  };
}

import { SIGNUP_SOURCES } from "../../../shared/contract.ts";
import { PENDING_MAX_AGE_MS } from "../../../shared/limits.ts";
import type { ConfirmedBy, ListStatus } from "../../../shared/outcomes.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import type { AtomicOperation } from "../../platform/kv/port.ts";
import { afterDelivery, type Delivered } from "../../signup/delivery/delivery.ts";
import { consentHash } from "../../forms/consent_texts.ts";
import { consentOf, putConsent } from "../../signup/record/consents.ts";
import { withEvent } from "../../signup/record/history.ts";
import { applySignup, putRecord, putSignup } from "../../signup/record/record.ts";
import type { Signup, SignupRecord } from "../../signup/record/row.ts";
import { applyListStatus, move } from "../../signup/record/states.ts";

/** A signup, and what happened to it afterwards. Times are Unix milliseconds. */
export interface SampleSignup {
  signup: Signup;
  /** ID of its proof of consent. */
  id: string;
  at: number;
  /** Missing while it is queued. */
  delivery?: { at: number; delivered: Delivered };
  /** Statuses that the provider reported later, in order. */
  seen: { at: number; by: ConfirmedBy; status: ListStatus }[];
  expiredAt?: number;
  /** The time of a second signup with the same address, and the ID of its proof of consent. */
  again?: { id: string; at: number };
}

/** Which signups to make: `count` of them, evenly spread over the `days` before `end`. */
export interface SampleSpread {
  count: number;
  days: number;
  /** In Unix milliseconds. */
  end: number;
}

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
/** So many of the newest signups are not delivered yet. */
const QUEUED = 20;
/** More than the signups that can be made, so that no two have the same address. */
const ADDRESSES = 10_000_019;
export const CONSENT_TEXT = "Send me the newsletter. I can unsubscribe at any time.";
const FORMS = ["footer", "sidebar", "landing"];

const PENDING: Delivered = { kind: "delivered", outcome: "pending", seen: "pending", mailed: "yes" };
const SUPPRESSED: Delivered = {
  kind: "delivered",
  outcome: "suppressed",
  seen: "suppressed",
  reason: "The provider suppresses the address.",
  mailed: "no",
};

/**
 * Returns one of the signups of a service that has run for a while. It depends only on its arguments. Index 0 is the
 * newest. About 72 of 100 are confirmed, 4 rejected, and the others pending, or expired after 30 days; one in ten
 * confirmed addresses has left the list, one in 33 signed up twice, and one address in ten is at `rare.example`.
 */
export function sampleSignup(index: number, { count, days, end }: SampleSpread): SampleSignup {
  const random = seededRandom(index);
  // Similar seeds begin similarly.
  random.bytes(4);
  const isBelow = (share: number) => random.float() < share;
  const pick = <T>(values: readonly T[]) => values[Math.floor(random.float() * values.length)]!;
  const at = Math.floor(end - (index + 1) * days * DAY_MS / count);
  const domain = index % 10 === 3 ? "rare.example" : `mail${index % 7}.example`;
  const path = `/posts/${Math.floor(random.float() * 40)}`;
  const signup: Signup = {
    email: `p${String(index * 7_919 % ADDRESSES).padStart(8, "0")}@${domain}`,
    list: isBelow(0.8) ? "news" : "offers",
    provider: "sandbox",
    tags: [],
    source: isBelow(0.5) ? SIGNUP_SOURCES[0] : pick(SIGNUP_SOURCES),
    ...(isBelow(0.5) && { form: isBelow(0.8) ? FORMS[0]! : pick(FORMS) }),
    page: { path, ...(isBelow(0.3) && { referrer: "https://search.example" }) },
    consent: {
      given: true,
      textHash: consentHash(CONSENT_TEXT),
      locale: "en",
      ip: `198.51.100.${index % 250 + 1}`,
      origin: "https://site.example",
    },
  };
  const made = { signup, id: random.uuid(), at, seen: [] };
  if (index < QUEUED) return made;
  const delivery = { at: at + SECOND_MS, delivered: isBelow(0.04) ? SUPPRESSED : PENDING };
  if (delivery.delivered === SUPPRESSED) return { ...made, delivery };
  if (!isBelow(0.75)) {
    const expiredAt = delivery.at + PENDING_MAX_AGE_MS;
    return { ...made, delivery, ...(expiredAt <= end && { expiredAt }) };
  }
  const confirmed = {
    at: at + 60 * SECOND_MS,
    by: isBelow(0.9) ? "webhook" : "poll",
    status: "active",
  } as const;
  const left = { at: at + DAY_MS, by: "poll", status: "unsubscribed" } as const;
  return {
    ...made,
    delivery,
    seen: isBelow(0.1) ? [confirmed, left] : [confirmed],
    ...(isBelow(0.03) && { again: { id: random.uuid(), at: at + 2 * DAY_MS } }),
  };
}

/**
 * Adds the rows that a signup leaves to a commit: its record with its history, its entries in the indexes by status and
 * by time, its search entries, and its proofs of consent. They are made by the functions that the program uses, but
 * written once, in their final state.
 */
export function putSampleSignup(tx: AtomicOperation, sample: SampleSignup): void {
  const { signup, id, at, delivery, seen, expiredAt, again } = sample;
  const consent = consentOf(signup, id, at);
  if (!delivery) return putSignup(tx, null, signup, consent);
  let record: SignupRecord = applySignup(null, signup, at);
  const event = { kind: "delivery", attempt: 1, result: resultOf(delivery.delivered) } as const;
  record = afterDelivery(withEvent(record, delivery.at, event), delivery.delivered, delivery.at);
  for (const each of seen) record = applyListStatus(record, each.status, each.by, each.at);
  if (expiredAt !== undefined) record = move(record, "expired", expiredAt);
  if (again) {
    record = applySignup(record, signup, again.at);
    putConsent(tx, record, consentOf(signup, again.id, again.at));
  }
  // Version 2, because a delivered record has its search entries.
  putRecord(tx, null, { ...record, v: 2, consent });
}

function resultOf({ outcome, reason }: Delivered): string {
  return reason === undefined ? outcome : `${outcome}: ${reason}`;
}

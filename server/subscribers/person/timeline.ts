import type { Kv } from "../../platform/kv/port.ts";
import { capitalized } from "../../platform/words/capitalized.ts";
import type { SignupSource } from "../../../shared/contract.ts";
import type { LocalStatus } from "../../../shared/outcomes.ts";
import type { RecordEvent, SignupRecord } from "../../signup/record/row.ts";
import { readConsents } from "../../signup/record/consents.ts";
import { type ConsentWithText, withTexts } from "../../signup/record/consents_with_text.ts";

/** One event of a signup, as text for people. */
export interface TimelineEntry {
  at: number;
  kind: RecordEvent["kind"] | "signup" | "coupon";
  title: string;
  /** One more sentence. */
  detail?: string;
  tone: "good" | "bad" | "plain";
  /** The consent given, if the event is a signup. */
  consent?: ConsentWithText;
}

const CONSENTS_SHOWN = 50;

/** Returns the latest proofs of consent, newest first. */
export async function consentsWithText(kv: Kv, record: SignupRecord): Promise<ConsentWithText[]> {
  return await withTexts(kv, await readConsents(kv, record, { limit: CONSENTS_SHOWN }));
}

/** Returns all recorded events of a signup, and `others`, oldest first. Pure. */
export function timelineOf(
  record: SignupRecord,
  consents: readonly ConsentWithText[],
  others: readonly TimelineEntry[] = [],
): TimelineEntry[] {
  const entries: TimelineEntry[] = consents.map((consent, index) => ({
    at: consent.at,
    kind: "signup",
    title: index === consents.length - 1 ? "Signed up" : "Signed up again",
    detail: signedUpVia(consent),
    tone: "plain",
    consent,
  }));
  const history = shownHistory(record);
  history.forEach((event, index) => entries.push(entryFor(event, causeOf(history, index))));
  const { confirmed } = record;
  const reported = record.history?.some((event) => event.kind === "status" && event.to === "active");
  if (confirmed && !reported) {
    entries.push({
      at: confirmed.at,
      kind: "status",
      title: "Confirmed",
      detail: sentence(CONFIRMED_BY[confirmed.by]),
      tone: "good",
    });
  }
  entries.push(...others);
  // Array.sort is stable: events of the same millisecond stay in the order in which they were recorded.
  return entries.sort((a, b) => a.at - b.at);
}

/** Returns the history without what earlier versions recorded although it was not so: that a signup was pending for no time. */
function shownHistory({ history = [] }: SignupRecord): RecordEvent[] {
  const passed = history.filter((event, index) => isPassing(history[index - 1], event));
  return history.filter((event, index) => !isPassing(event, history[index + 1])).map((event) =>
    event.kind === "status" && passed.includes(event) ? { ...event, from: "queued" } : event
  );
}

/** Returns the delivery that caused an event. */
const causeOf = (history: readonly RecordEvent[], index: number): RecordEvent | undefined =>
  history.slice(0, index).findLast(({ at, kind }) => at === history[index]!.at && kind === "delivery");

/** Returns whether a signup was pending for no time: earlier versions recorded that although no email was sent. */
function isPassing(event: RecordEvent | undefined, next: RecordEvent | undefined): boolean {
  return event?.kind === "status" && event.to === "pending" &&
    next?.kind === "status" && next.from === "pending" && next.at === event.at;
}

/**
 * Returns whether a change shows that the person was on the list before they signed up. Whoever was pending confirmed an
 * earlier signup, although a later delivery noticed it first.
 *
 * @param delivery the delivery that caused it
 */
function showsKnown(event: RecordEvent, delivery: RecordEvent | undefined): boolean {
  return event.kind === "status" && event.to === "active" && event.from !== "pending" &&
    delivery?.kind === "delivery" && delivery.result === "already_active";
}

/** Returns whether the person was on the list before they signed up, as far as the record's history goes back. */
export function wasSubscribedBefore(record: SignupRecord): boolean {
  const history = shownHistory(record);
  return history.some((event, index) => showsKnown(event, causeOf(history, index)));
}

/** How a confirmation was detected. */
export const CONFIRMED_BY = {
  delivery: "detected during delivery",
  webhook: "reported by webhook",
  automation: "reported by an automation",
  poll: "found by polling",
  admin: "found by a manual check",
} as const;

const STATUS_TITLES: Record<LocalStatus, string> = {
  queued: "Queued",
  pending: "Confirmation pending",
  active: "Confirmed",
  failed: "Failed",
  expired: "Expired",
};

const ACTS = {
  check: "Status checked manually",
  resend: "Confirmation resent manually",
  allow_again: "Resubscribed manually",
} as const;

const VIA: Record<SignupSource, string> = {
  shortcode: "an inline form",
  block: "a block form",
  promo: "a promo form",
  popup: "the popup",
  checkout: "the checkout",
  account: "a shop account",
  integration: "an integration",
};

/** Returns a sentence on where a signup came from. */
export function signedUpVia({ source, form, placement, origin }: ConsentWithText): string {
  const parts = [
    form ? `Via ${VIA[source]} (${form})` : `Via ${VIA[source]}`,
    placement && placement !== form && placement !== source && `placement ${placement}`,
    origin && `on ${origin}`,
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}

const sentence = (text: string) => `${capitalized(text)}.`;

/** @param delivery the delivery that caused the event */
function entryFor(event: RecordEvent, delivery: RecordEvent | undefined): TimelineEntry {
  const { at, kind } = event;
  switch (event.kind) {
    case "status":
      if (showsKnown(event, delivery)) {
        return {
          at,
          kind,
          title: "Already subscribed",
          detail: "On the list before this signup.",
          tone: "good",
        };
      }
      if (event.to === "active") {
        return {
          at,
          kind,
          title: "Confirmed",
          tone: "good",
          ...(event.by && { detail: sentence(CONFIRMED_BY[event.by]) }),
        };
      }
      if (event.to === "pending" && delivery?.kind === "delivery" && delivery.noEmail) {
        return {
          at,
          kind,
          title: "Pending since an earlier signup",
          detail: "This signup sent no new confirmation email.",
          tone: "plain",
        };
      }
      return {
        at,
        kind,
        title: STATUS_TITLES[event.to],
        tone: event.to === "failed" ? "bad" : "plain",
        ...(event.reason !== undefined && { detail: event.reason }),
      };
    case "list":
      return {
        at,
        kind,
        title: `List status: ${event.status}`,
        tone: event.status === "active" ? "good" : "plain",
      };
    case "delivery": {
      const times = event.times ? ` (${event.times} times in a row)` : "";
      return {
        at,
        kind,
        title: event.failed
          ? `Attempt ${event.attempt} failed`
          : `Sent to provider (attempt ${event.attempt})`,
        detail: `${event.result}${times}`,
        tone: event.failed ? "bad" : "plain",
      };
    }
    case "waiting":
      return { at, kind, title: "Delivery postponed", detail: event.reason, tone: "plain" };
    case "admin": {
      const note = event.note === undefined ? "" : `: ${event.note}`;
      return { at, kind, title: ACTS[event.act], detail: `By ${event.by}${note}`, tone: "plain" };
    }
  }
}

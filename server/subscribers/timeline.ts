import type { ConsentRow, RecordEvent, SignupRecord } from "../signup/record/row.ts";
import { consentTextKey } from "../signup/record/consent_text.ts";
import { readRow } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";

/** A proof of consent with the text that was shown. */
export type ConsentWithText = ConsentRow & { text?: string };

/** One thing that happened to a signup, in words. */
export interface TimelineEntry {
  at: number;
  title: string;
  /** A sentence more. */
  detail?: string;
  tone: "good" | "bad" | "plain";
  /** What was agreed to, where it was a signup. */
  consent?: ConsentWithText;
}

const CONSENTS_SHOWN = 50;

/** The latest proofs of consent, newest first. */
export async function consentsWithText(
  kv: Deno.Kv,
  { email, list }: SignupRecord,
): Promise<ConsentWithText[]> {
  const shown: ConsentWithText[] = [];
  const texts = new Map<string, string | undefined>();
  const rows = kv.list<ConsentRow>({ prefix: keys.consentsOf(email, list) }, {
    limit: CONSENTS_SHOWN,
    reverse: true,
  });
  for await (const { value } of rows) {
    const hash = value.textHash;
    if (hash !== undefined && !texts.has(hash)) {
      texts.set(hash, (await readRow(kv, consentTextKey(hash)))?.text);
    }
    const text = hash === undefined ? undefined : texts.get(hash);
    shown.push({ ...value, ...(text !== undefined && { text }) });
  }
  return shown;
}

/** Everything that is known of a signup in the order in which it happened, the oldest first. Pure. */
export function timelineOf(record: SignupRecord, consents: readonly ConsentWithText[]): TimelineEntry[] {
  const moments: TimelineEntry[] = consents.map((consent, index) => ({
    at: consent.at,
    title: index === consents.length - 1 ? "Signed up" : "Signed up again",
    detail: signedUp(consent),
    tone: "plain",
    consent,
  }));
  for (const event of record.history ?? []) moments.push(entryFor(event));
  const { confirmed } = record;
  const told = record.history?.some((event) => event.kind === "status" && event.to === "active");
  if (confirmed && !told) {
    moments.push({ at: confirmed.at, title: "Confirmed", detail: BY[confirmed.by], tone: "good" });
  }
  // Array.sort is stable: what happened in one millisecond stays in the order in which it was put down.
  return moments.sort((a, b) => a.at - b.at);
}

const BY = {
  delivery: "Seen when the signup was brought to the provider.",
  webhook: "The provider's webhook told.",
  automation: "A step of an automation told.",
  poll: "The poll found it.",
  admin: "Seen when somebody had it checked here.",
} as const;

const ACTS = {
  check: "Checked by hand",
  resend: "Confirmation sent again by hand",
  allow_again: "Allowed again by hand",
} as const;

function signedUp({ source, form, placement, origin }: ConsentWithText): string {
  const parts = [
    `By ${source}`,
    form && `form ${form}`,
    placement && `placement ${placement}`,
    origin && `on ${origin}`,
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}

function entryFor(event: RecordEvent): TimelineEntry {
  const { at } = event;
  switch (event.kind) {
    case "status":
      if (event.to === "active") {
        return { at, title: "Confirmed", tone: "good", ...(event.by && { detail: BY[event.by] }) };
      }
      return {
        at,
        title: `Became ${event.to}`,
        tone: event.to === "failed" ? "bad" : "plain",
        ...(event.reason !== undefined && { detail: event.reason }),
      };
    case "list":
      return {
        at,
        title: `The list says ${event.status}`,
        tone: event.status === "active" ? "good" : "plain",
      };
    case "delivery": {
      const times = event.times ? ` It said so ${event.times} times in a row.` : "";
      return {
        at,
        title: `Asked the provider, attempt ${event.attempt}`,
        detail: `${event.result}${times}`,
        tone: "plain",
      };
    }
    case "waiting":
      return { at, title: "Delivery postponed", detail: event.reason, tone: "plain" };
    case "admin": {
      const note = event.note === undefined ? "" : `: ${event.note}`;
      return { at, title: ACTS[event.act], detail: `By ${event.by}${note}`, tone: "plain" };
    }
  }
}

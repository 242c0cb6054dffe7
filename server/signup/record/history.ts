import type { EventDetails, SignupRecord } from "./row.ts";

/** More than any signup lives through; what is older gives way. */
const KEPT = 40;
const TEXT_LENGTH = 300;

/** The record with one more event. The same one again is counted, not repeated: an outage fills no history. */
export function withEvent(record: SignupRecord, at: number, happened: EventDetails): SignupRecord {
  const event = cut(happened);
  const history = record.history ?? [];
  const last = history.at(-1);
  if (last && isRepeated(last, event)) {
    return { ...record, history: [...history.slice(0, -1), { at, times: (last.times ?? 1) + 1, ...event }] };
  }
  return { ...record, history: [...history, { at, ...event }].slice(-KEPT) };
}

function isRepeated(last: EventDetails, event: EventDetails): boolean {
  if (event.kind === "delivery") return last.kind === "delivery" && last.result === event.result;
  return event.kind === "waiting" && last.kind === "waiting" && last.reason === event.reason;
}

/** What a change of a record means for its history. */
export function withChangeEvents(before: SignupRecord, after: SignupRecord): SignupRecord {
  let noted = after;
  if (before.listStatus !== after.listStatus && after.listStatus !== undefined) {
    noted = withEvent(noted, after.updatedAt, { kind: "list", status: after.listStatus });
  }
  if (before.status !== after.status) {
    const { reason, confirmed } = after;
    noted = withEvent(noted, after.since, {
      kind: "status",
      from: before.status,
      to: after.status,
      ...(reason !== undefined && { reason }),
      ...(after.status === "active" && confirmed && { by: confirmed.by }),
    });
  }
  return noted;
}

/** A provider's error page must not fill the row (64 KiB). */
function cut(happened: EventDetails): EventDetails {
  const short = (text: string) => text.slice(0, TEXT_LENGTH);
  switch (happened.kind) {
    case "status":
      return happened.reason === undefined ? happened : { ...happened, reason: short(happened.reason) };
    case "delivery":
      return { ...happened, result: short(happened.result) };
    case "admin":
      return happened.note === undefined ? happened : { ...happened, note: short(happened.note) };
    case "waiting":
      return { ...happened, reason: short(happened.reason) };
    case "list":
      return happened;
  }
}

import type { EventDetails, SignupRecord } from "./row.ts";

/** Maximum number of events; older ones are dropped. */
const MAX_EVENTS = 40;
const MAX_TEXT_LENGTH = 300;

/** Returns the record with one more event. A repeated event is counted instead, so that an outage fills no history. */
export function withEvent(record: SignupRecord, at: number, details: EventDetails): SignupRecord {
  const event = truncate(details);
  const history = record.history ?? [];
  const last = history.at(-1);
  if (last && isRepeated(last, event)) {
    return { ...record, history: [...history.slice(0, -1), { at, times: (last.times ?? 1) + 1, ...event }] };
  }
  return { ...record, history: [...history, { at, ...event }].slice(-MAX_EVENTS) };
}

function isRepeated(last: EventDetails, event: EventDetails): boolean {
  if (event.kind === "delivery") return last.kind === "delivery" && last.result === event.result;
  return event.kind === "waiting" && last.kind === "waiting" && last.reason === event.reason;
}

/** Returns `after` with the events for what changed since `before`. */
export function withChangeEvents(before: SignupRecord, after: SignupRecord): SignupRecord {
  let result = after;
  if (before.listStatus !== after.listStatus && after.listStatus !== undefined) {
    result = withEvent(result, after.updatedAt, { kind: "list", status: after.listStatus });
  }
  if (before.status !== after.status) {
    const { reason, confirmed } = after;
    result = withEvent(result, after.since, {
      kind: "status",
      from: before.status,
      to: after.status,
      ...(reason !== undefined && { reason }),
      ...(after.status === "active" && confirmed && { by: confirmed.by }),
    });
  }
  return result;
}

/** Shortens texts, so that a provider's error page does not exceed the size of a row (64 KiB). */
function truncate(details: EventDetails): EventDetails {
  const short = (text: string) => text.slice(0, MAX_TEXT_LENGTH);
  switch (details.kind) {
    case "status":
      return details.reason === undefined ? details : { ...details, reason: short(details.reason) };
    case "delivery":
      return { ...details, result: short(details.result) };
    case "admin":
      return details.note === undefined ? details : { ...details, note: short(details.note) };
    case "waiting":
      return { ...details, reason: short(details.reason) };
    case "list":
      return details;
  }
}

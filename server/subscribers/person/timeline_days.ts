import { dayOf } from "../search/dates.ts";
import type { TimelineEntry } from "./timeline.ts";

/** An event as the timeline shows it. */
export interface TimelineItem extends TimelineEntry {
  /** Technical details, oldest first: what belongs to the same event at the provider, and raw results. */
  technical: string[];
}

export interface TimelineDay {
  /** Such as `2026-03-29`. */
  day: string;
  /** Newest first. */
  items: TimelineItem[];
}

/** Events that one response of the provider causes. The later ones in this list say more about the person. */
const FROM_PROVIDER: TimelineEntry["kind"][] = ["delivery", "list", "status"];
/** Such events are recorded together, in one commit. */
const TOGETHER_MS = 1_000;

/**
 * Groups a timeline by day, newest first. Events that one response of the provider has caused become one item, with
 * the technical ones as its details. Pure.
 *
 * @param entries oldest first, from `timelineOf`
 * @param zone time zone of the days
 */
export function timelineDays(entries: readonly TimelineEntry[], zone: string): TimelineDay[] {
  const days: TimelineDay[] = [];
  for (const group of groupsOf(entries).toReversed()) {
    const item = itemOf(group);
    const day = dayOf(item.at, zone);
    if (days.at(-1)?.day === day) days.at(-1)!.items.push(item);
    else days.push({ day, items: [item] });
  }
  return days;
}

function groupsOf(entries: readonly TimelineEntry[]): TimelineEntry[][] {
  const groups: TimelineEntry[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    if (group && belongsTo(group, entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

/** Each kind occurs once per response, so the second of a kind starts the next group. */
function belongsTo(group: readonly TimelineEntry[], { at, kind }: TimelineEntry): boolean {
  return FROM_PROVIDER.includes(kind) && FROM_PROVIDER.includes(group[0]!.kind) &&
    at - group[0]!.at <= TOGETHER_MS && group.every((each) => each.kind !== kind);
}

function itemOf(group: readonly TimelineEntry[]): TimelineItem {
  const main = group.reduce((best, each) =>
    FROM_PROVIDER.indexOf(each.kind) > FROM_PROVIDER.indexOf(best.kind) ? each : best
  );
  const technical = group.filter((each) => each !== main).map(textOf);
  if (main.kind !== "delivery" || main.tone === "bad") return { ...main, technical };
  // The result of a delivery that reached the provider is the provider's own text.
  const { detail, ...rest } = main;
  return { ...rest, technical: detail === undefined ? technical : [...technical, detail] };
}

const textOf = ({ title, detail }: TimelineEntry) => detail === undefined ? title : `${title}: ${detail}`;

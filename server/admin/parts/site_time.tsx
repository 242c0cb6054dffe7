import { createContext, type VNode } from "preact";
import { useContext } from "preact/hooks";
import { momentText, recentMomentText, zonedMomentText } from "../frame/dates.ts";

/** How a page shows times. */
interface PageTime {
  /** The site's time zone (IANA name). */
  zone: string;
  /** Unix milliseconds. */
  now: number;
  /** Whether the page has shown a time. */
  shown: boolean;
}

/** Set by the frame of every page, which names the time zone once. */
export const SiteTime = createContext<PageTime | undefined>(undefined);

/**
 * A point in time in the site's time zone, like the days of filters and figures; in UTC outside of the admin's frame.
 *
 * @param props.short leaves out the current year
 * @param props.recent leaves out today as well
 */
export function Moment(
  { at, short, recent }: { at: number; short?: boolean; recent?: boolean },
): VNode {
  const time = useContext(SiteTime);
  const dateTime = new Date(at).toISOString();
  if (!time) return <time dateTime={dateTime}>{momentText(at)}</time>;
  time.shown = true;
  return (
    <time dateTime={dateTime} title={dateTime}>
      {recent
        ? recentMomentText(at, time.zone, time.now)
        : zonedMomentText(at, time.zone, short ? time.now : undefined)}
    </time>
  );
}

/** Names the time zone, if the part of the page before it has shown a time. */
export function ZoneNote(): VNode | null {
  const time = useContext(SiteTime);
  return time?.shown ? <p class="help">Times are in {time.zone}.</p> : null;
}

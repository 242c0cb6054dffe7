import type { Visit } from "../../../../shared/targeting.ts";
import { minuteIn } from "../../../settings/form_state.ts";
import { minuteStart } from "../../../settings/utc_offsets.ts";

/** A page and a visitor that a user of the admin describes, to learn whether the popup shows. */
export interface DescribedVisit {
  /** URL of the page. */
  url: URL;
  visit: Visit;
}

/** Fields of the form that describes a visit. */
const VISIT_FIELDS = [
  "address",
  "referrer",
  "width",
  "language",
  "visitor",
  "pages",
  "time",
  "total",
  "item",
] as const;
export type VisitField = (typeof VISIT_FIELDS)[number];

/** What a visit is like unless it is described otherwise. */
const DEFAULTS: Record<VisitField, string> = {
  address: "",
  referrer: "",
  width: "1280",
  language: "en",
  visitor: "new",
  pages: "1",
  time: "",
  total: "",
  item: "",
};

/**
 * Returns the values to show in the form: those that were sent, or the defaults.
 *
 * @param zone time zone of the time (IANA name)
 */
export function visitFields(
  sent: Pick<URLSearchParams, "get">,
  now: number,
  zone: string,
): Record<VisitField, string> {
  const defaults = { ...DEFAULTS, time: minuteIn(zone, now) };
  return Object.fromEntries(
    VISIT_FIELDS.map((name) => [name, sent.get(name)?.trim().slice(0, 2000) || defaults[name]]),
  ) as Record<VisitField, string>;
}

/**
 * Returns the described visit; undefined if the page's URL is not an http or https URL.
 *
 * @param zone time zone of the time (IANA name)
 */
export function describedVisit(
  fields: Record<VisitField, string>,
  now: number,
  zone: string,
): DescribedVisit | undefined {
  const url = URL.parse(fields.address);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const { total, item } = fields;
  return {
    url,
    visit: {
      // As the widget reads it: a router may keep the path in the fragment.
      path: url.pathname + (/^#!?(\/.*)/.exec(url.hash)?.[1] ?? ""),
      search: url.search,
      referrer: URL.parse(fields.referrer)?.hostname || fields.referrer,
      width: Number(fields.width) || 0,
      language: fields.language,
      returning: fields.visitor === "returning",
      pagesSeen: Number(fields.pages) || 0,
      cart: total === "" && item === ""
        ? undefined
        : { total: Number(total) || 0, items: item === "" ? [] : [{ id: item, name: item }] },
      now: minuteStart(fields.time, zone) ?? now,
    },
  };
}

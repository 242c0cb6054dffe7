import { type PopupBlocker, SUBSCRIBED } from "../../../../shared/popup_rules.ts";
import { utmIn } from "../../../../shared/signup_page.ts";
import type { Visit } from "../../../../shared/targeting.ts";
import { minuteIn, minuteStart } from "../../../settings/schema/utc_offsets.ts";

/** A page, a visitor and a browser that a user of the admin describes, to learn whether a form shows. */
export interface DescribedVisit {
  /** URL of the page. */
  url: URL;
  visit: Visit;
  browser: DescribedBrowser;
  page: DescribedPage;
  /** Whether the visitor is in the group of a running experiment that sees no form. */
  control: boolean;
}

/** What the visitor's browser remembers. */
export interface DescribedBrowser {
  /** Whether it may store anything. */
  stores: boolean;
  /** The state of the form: see `PopupState`. */
  popup: string | undefined;
  /** When the visitor closed the form, in Unix milliseconds. 0 if never. */
  formClosedAt: number;
  /** When the visitor last closed this or another form that opens by itself. 0 if never. */
  closedAt: number;
  /** Whether the form was shown in this session. */
  shown: boolean;
  /** Whether the other forms that open by themselves were shown in this session. */
  othersShown: boolean;
}

/** What has happened on the page, and what is on it. */
export interface DescribedPage {
  /** How the page has the form itself. */
  has: "snippet" | "markup" | "none";
  isShop: boolean;
  /** Milliseconds for which the page was visible. Infinity for as long as a form waits. */
  visibleMs: number;
  scrolledPercent: number;
  /** Whether the visitor has a pointer that can leave the page. */
  hasPointer: boolean;
  /** Whether the element of a form's `seenSelector` is in the window. */
  seen: boolean;
  /** Whether the visitor has clicked the element of a form's `clickSelector`. */
  clicked: boolean;
  hidden: boolean;
  cancelled: boolean;
  blockers: PopupBlocker[];
}

const PAGE_BLOCKERS = ["cookie-bar", "dialog", "inline-form", "field", "other-form"] as const;
/** What can keep a form from opening at the moment that is described. */
export type Moment = (typeof PAGE_BLOCKERS)[number] | "shop" | "hidden" | "cancelled";

/** What a visit is like unless it is described otherwise. */
const DEFAULTS = {
  address: "",
  device: "desktop",
  visitor: "new",
  memory: "never",
  days: "1",
  landing: "",
  referrer: "",
  width: "",
  language: "en",
  pages: "1",
  time: "",
  total: "",
  item: "",
  storage: "yes",
  others: "never",
  hours: "1",
  control: "no",
  has: "snippet",
  seconds: "",
  scrolled: "",
  seen: "yes",
  clicked: "no",
  /** A `Moment`. */
  moment: "nothing",
};
export type VisitField = keyof typeof DEFAULTS;
export type VisitFields = Record<VisitField, string>;
const VISIT_FIELDS = Object.keys(DEFAULTS) as VisitField[];

export const DEVICE_WIDTHS: Record<string, number> = { desktop: 1280, tablet: 820, phone: 390 };

interface Preset {
  label: string;
  /** It is offered only if this field is asked for. */
  needs: VisitField;
  fields: Partial<VisitFields>;
}

/** Descriptions that a button fills in, by its value. */
export const PRESETS: Record<string, Preset> = {
  phone: {
    label: "New visitor, phone",
    needs: "device",
    fields: { device: "phone", visitor: "new", memory: "never" },
  },
  desktop: {
    label: "New visitor, desktop",
    needs: "device",
    fields: { device: "desktop", visitor: "new", memory: "never" },
  },
  returning: {
    label: "Returning visitor",
    needs: "visitor",
    fields: { visitor: "returning", memory: "shown" },
  },
  closed: {
    label: "Closed it yesterday",
    needs: "memory",
    fields: { visitor: "returning", memory: "closed", days: "1" },
  },
  subscribed: {
    label: "Signed up earlier",
    needs: "memory",
    fields: { visitor: "returning", memory: "subscribed" },
  },
};

/**
 * Returns the values to show in the form: those that were sent, or the defaults.
 *
 * @param zone time zone of the time (IANA name)
 * @param preset replaces some of the values, if there is one of this name
 */
export function visitFields(
  sent: { get(field: VisitField): string | null },
  now: number,
  zone: string,
  preset = "",
): VisitFields {
  const defaults = { ...DEFAULTS, time: minuteIn(zone, now) };
  const fields = Object.fromEntries(
    VISIT_FIELDS.map((name) => [name, sent.get(name)?.trim().slice(0, 2000) || defaults[name]]),
  ) as VisitFields;
  return { ...fields, ...(Object.hasOwn(PRESETS, preset) && PRESETS[preset]!.fields) };
}

/** Returns whether a field differs from its default. The time has none. */
export const isChanged = (fields: VisitFields, name: VisitField): boolean =>
  name !== "time" && fields[name] !== DEFAULTS[name];

/** Returns the fields as a query. Those with their default are left out. */
export function visitQuery(fields: VisitFields): string {
  const given = VISIT_FIELDS.filter((name) => name === "time" || isChanged(fields, name));
  return new URLSearchParams(given.map((name) => [name, fields[name]])).toString();
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const positive = (text: string) => Math.max(0, Number(text) || 0);

/**
 * Returns the described visit; undefined if the page's URL is not an http or https URL.
 *
 * @param zone time zone of the time (IANA name)
 */
export function describedVisit(fields: VisitFields, now: number, zone: string): DescribedVisit | undefined {
  const url = URL.parse(fields.address);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const at = minuteStart(fields.time, zone) ?? now;
  const stores = fields.storage !== "no";
  return {
    url,
    visit: describedTargets(fields, url, at),
    browser: stores ? describedBrowser(fields, at) : FORGETFUL,
    page: describedPage(fields),
    control: fields.control === "yes",
  };
}

/** What a browser remembers that may store nothing. */
const FORGETFUL: DescribedBrowser = {
  stores: false,
  popup: undefined,
  formClosedAt: 0,
  closedAt: 0,
  shown: false,
  othersShown: false,
};

function describedTargets(fields: VisitFields, url: URL, now: number): Visit {
  const { total, item, memory, days } = fields;
  const stores = fields.storage !== "no";
  const own = utmIn(url.search);
  const ofLanding = stores ? utmIn(URL.parse(fields.landing)?.search ?? "") : [];
  const cameBefore = fields.visitor === "returning" || memory === "shown" ||
    memory === "closed" && positive(days) >= 1;
  return {
    // As the widget reads it: a router may keep the path in the fragment.
    path: url.pathname + (/^#!?(\/.*)/.exec(url.hash)?.[1] ?? ""),
    search: url.search,
    utm: String(new URLSearchParams(own.length > 0 ? own : ofLanding)),
    referrer: URL.parse(fields.referrer)?.hostname || fields.referrer,
    width: positive(fields.width) || (DEVICE_WIDTHS[fields.device] ?? DEVICE_WIDTHS["desktop"]!),
    language: fields.language,
    returning: stores && cameBefore,
    pagesSeen: stores ? positive(fields.pages) : 1,
    cart: total === "" && item === ""
      ? undefined
      : { total: positive(total), items: item === "" ? [] : [{ id: item, name: item }] },
    now,
  };
}

function describedBrowser({ memory, days, others, hours }: VisitFields, now: number): DescribedBrowser {
  const formClosedAt = memory === "closed" ? now - positive(days) * DAY_MS : 0;
  const otherClosedAt = others === "closed" ? now - positive(hours) * HOUR_MS : 0;
  return {
    stores: true,
    popup: memory === "subscribed" ? SUBSCRIBED : formClosedAt ? String(formClosedAt) : undefined,
    formClosedAt,
    closedAt: Math.max(formClosedAt, otherClosedAt),
    shown: memory === "session",
    othersShown: others !== "never",
  };
}

function describedPage(fields: VisitFields): DescribedPage {
  const isOn = (moment: Moment) => fields.moment === moment;
  return {
    has: fields.has === "markup" || fields.has === "none" ? fields.has : "snippet",
    isShop: isOn("shop"),
    visibleMs: fields.seconds === "" ? Infinity : positive(fields.seconds) * 1000,
    scrolledPercent: fields.scrolled === "" ? 100 : positive(fields.scrolled),
    hasPointer: fields.device !== "phone" && fields.device !== "tablet",
    seen: fields.seen !== "no",
    clicked: fields.clicked === "yes",
    hidden: isOn("hidden"),
    cancelled: isOn("cancelled"),
    blockers: PAGE_BLOCKERS.filter(isOn),
  };
}

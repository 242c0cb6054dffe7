/** The invented people and settings in the pictures. */

import type { SignupPage } from "../../shared/signup_page.ts";
import type { PartialSettings } from "../../server/settings/schema/schema.ts";

/** Somebody who signs up. */
export interface Person {
  email: string;
  form: string;
  ip: string;
  /** The page with the form. */
  page?: SignupPage;
  /** Whether this is a bot, which fills in the hidden field. */
  bot?: boolean;
  confirms?: boolean;
}

const FIRST = ["ada", "grace", "alan", "edsger", "barbara", "donald", "margaret", "ken", "radia", "dennis"];
const LAST = [
  "lovelace",
  "turing",
  "hamilton",
  "liskov",
  "knuth",
  "perlman",
  "ritchie",
  "dijkstra",
  "allen",
  "hamming",
  "kay",
  "mccarthy",
  "wirth",
  "hoare",
  "backus",
  "naur",
  "dahl",
  "nygaard",
  "goldberg",
  "holberton",
  "bartik",
];
const FORMS = ["footer", "article", "welcome"];
const LETTER = { source: "letter", medium: "email", campaign: "autumn-roast" };
const POST = { source: "instagram", medium: "social", campaign: "autumn-roast" };
/** The pages that people sign up on, in turn. */
const PAGES: readonly SignupPage[] = [
  { path: "/" },
  { path: "/blog/how-to-brew-cold-coffee", referrer: "https://duckduckgo.com" },
  { path: "/beans/house-blend", utm: LETTER },
  { path: "/blog/how-to-brew-cold-coffee" },
  { path: "/", referrer: "https://www.instagram.com", utm: POST },
  { path: "/beans/house-blend" },
  { path: "/blog/the-right-grind", referrer: "https://duckduckgo.com" },
  { path: "/", utm: { source: "podcast", medium: "audio" } },
  { path: "/blog/how-to-brew-cold-coffee", referrer: "https://news.example.org" },
  { path: "/about" },
  { path: "/beans/house-blend", referrer: "https://www.instagram.com", utm: POST },
];

/** Returns a person. The first ones have an address without a number. */
export function personAt(index: number, below: (max: number) => number): Person {
  const first = FIRST[index % FIRST.length]!;
  const last = LAST[index % LAST.length]!;
  const round = Math.floor(index / (FIRST.length * LAST.length));
  const number = round === 0 ? "" : String(round + 1);
  const address = `${first}.${last}${number}@example.${below(3) === 0 ? "org" : "com"}`;
  return {
    email: below(15) === 0 ? address.replace("@", " at ") : address,
    form: FORMS[Math.min(below(4), 2)]!,
    page: PAGES[index % PAGES.length]!,
    ip: `198.51.${100 + index % 100}.${1 + Math.floor(index / 100)}`,
    bot: below(20) === 0,
    confirms: below(4) > 0,
  };
}

/** Someone with several signups, whose page is pictured. */
export const PICTURED = "grace.hopper@example.com";

/** People with a story: one who signs up twice, and two whose provider does not respond. */
export const REGULARS: readonly (Person & { daysAgo: number })[] = [
  { daysAgo: 6, email: PICTURED, form: "article", ip: "203.0.113.20", confirms: true, page: PAGES[1]! },
  { daysAgo: 4, email: "down@example.org", form: "footer", ip: "203.0.113.77" },
  { daysAgo: 2, email: PICTURED, form: "footer", ip: "203.0.113.21" },
  { daysAgo: 0, email: "down+2@example.com", form: "footer", ip: "203.0.113.78" },
];

/** An action of an admin. */
export type Work = readonly [name: string, input: Record<string, unknown>];

/** What an admin did, by how many days ago. */
export const WORK: Record<number, readonly Work[]> = {
  2: [
    ["cfbe_invite_user", { name: "linus", role: "analyst" }],
    ["cfbe_save_popup", { fields: { hideDays: 14 } }],
  ],
  1: [
    ["cfbe_export_person", { email: "katherine.johnson@example.org" }],
    ["cfbe_save_privacy", { fields: { ipRetentionDays: 30, organization: "Halfmoon Coffee" } }],
  ],
  0: [
    ["cfbe_erase_person", { email: "katherine.johnson@example.org", provider: true }],
    ["cfbe_test_connection", {}],
    ["cfbe_save_coupon", { fields: { amount: 15, prefix: "HELLO" } }],
  ],
};

const CONSENT = "I agree to the [privacy policy](https://shop.example.com/privacy).";

export const SETTINGS: PartialSettings = {
  general: { modules: { coupons: true } },
  form: { consentText: CONSENT, attribution: true },
  forms: {
    forms: [
      { name: "footer", heading: "The Sunday letter", text: "One recipe and one bean. Every other Sunday." },
      { name: "article", layout: "block", tags: ["blog"], heading: "More about coffee", consent: "required" },
      {
        name: "welcome",
        layout: "promo",
        tags: ["shop"],
        heading: "Get 15% off your first bag",
        consent: "required",
      },
    ],
  },
  popup: {
    enabled: true,
    consent: "required",
    heading: "Get 15% off your first bag",
    text: "Join the Sunday letter. We send you the code as soon as you have confirmed.",
  },
  coupon: { amount: 10, prefix: "HELLO", template: "welcome-coupon" },
};

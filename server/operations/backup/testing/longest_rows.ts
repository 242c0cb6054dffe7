import { CART_MAX_ITEMS, NAME_MAX_CHARACTERS } from "../../../../shared/limits.ts";
import { TEXT_MAX_CHARACTERS } from "../../../../shared/fields/validate.ts";
import { type CartRow, sizeOf } from "../../../shops/carts/cart.ts";
import type { JobRow } from "../../../platform/jobs/row.ts";
import { keys } from "../../../platform/kv/keys.ts";
import { deliverJob } from "../../../signup/delivery/job.ts";
import type { ConsentRow, SignupRecord } from "../../../signup/record/row.ts";
import type { BackupRow } from "../file.ts";

/** Characters of one to four bytes, and what JSON writes with a backslash. */
const TEXTS = ["株式会社東京", "🎉🧑🏽‍🚀", 'a"\\ b', "Zoë Ångström "];
const AT = 1_735_732_800_000;
/** Shops send carts of at most 28 KiB. */
const CART_BYTES = 27 * 1024;

function longText(length: number, n: number): string {
  const text = TEXTS[n % TEXTS.length]!;
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** Returns an address of 254 characters. They sort by their number. */
export function longEmail(n: number): string {
  const local = String(n).padStart(7, "0").padEnd(64, "x");
  return `${local}@${"d".repeat(63)}.${"e".repeat(63)}.${"f".repeat(57)}.com`;
}

/** The ID of a list with the longest encoding. */
export const LONG_LIST = "列".repeat(200);

function recordOf(n: number): SignupRecord {
  const fields = Array.from({ length: 4 }, (_, at) => [`field-${at}`, longText(TEXT_MAX_CHARACTERS, n + at)]);
  return {
    v: 2,
    email: longEmail(n),
    list: LONG_LIST,
    status: n % 3 === 0 ? "pending" : "active",
    since: AT + n,
    listStatus: n % 3 === 0 ? "pending" : "active",
    name: longText(NAME_MAX_CHARACTERS, n),
    tags: [longText(64, 0), longText(64, 3)],
    fields: Object.fromEntries(fields),
    source: "integration",
    form: "f".repeat(64),
    page: {
      path: `/${longText(200, n)}`,
      referrer: `https://${"r".repeat(60)}.example`,
      utm: { source: longText(100, n), medium: longText(100, n + 1), campaign: longText(100, n + 2) },
    },
    provider: "bluefox",
    createdAt: AT + n,
    updatedAt: AT + n,
    history: [{ at: AT, kind: "delivery", attempt: 1, result: longText(300, n), failed: true }],
  };
}

function consentOf(n: number): ConsentRow {
  return {
    v: 1,
    id: idOf(n),
    at: AT + n,
    given: true,
    textHash: "h".repeat(43),
    locale: "sr-Latn-RS-x-private-use-of-35-char",
    ip: "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    source: "integration",
    form: "f".repeat(64),
    placement: "p".repeat(64),
    origin: `https://${"o".repeat(240)}.example`,
    consents: [{ field: "n".repeat(64), given: true, textHash: "h".repeat(43) }],
  };
}

const idOf = (n: number) => String(n).padStart(36, "0");

function cartOf(n: number): CartRow {
  const content = {
    items: [] as NonNullable<CartRow["content"]>["items"],
    total: 1e12,
    currency: "CNY",
    url: `https://shop.example/${"u".repeat(1900)}`,
  };
  const item = { id: "i".repeat(100), name: longText(200, n), quantity: 1e6, price: 1e12 };
  const cart = { v: 1, id: `${idOf(n)}cart`, email: longEmail(n), createdAt: AT, changedAt: AT + n } as const;
  while (content.items.length < CART_MAX_ITEMS && sizeOf({ content }) < CART_BYTES) content.items.push(item);
  return { ...cart, content, size: sizeOf({ ...cart, content }) };
}

function jobOf(n: number): JobRow {
  const target = { email: longEmail(n), list: LONG_LIST };
  const { id, name, payload } = deliverJob(target, { id: idOf(n), source: "integration", at: AT });
  const history = Array.from({ length: 10 }, () => ({ at: AT, note: longText(300, 0) }));
  return {
    v: 1,
    id,
    name,
    payload,
    state: "waiting",
    attempts: 10,
    failures: 9,
    createdAt: AT,
    since: AT,
    due: AT + n,
    unknown: true,
    history,
  };
}

/**
 * Yields the rows of a backup in the order of a real one, each with the longest values that the limits allow: signups with
 * their consents, and one cart, one job and the rows of one stranger's limits for every `signups / others` of them.
 */
export async function* longestRows(signups: number, others = signups): AsyncGenerator<BackupRow> {
  for (let n = 0; n < signups; n++) {
    const record = recordOf(n);
    yield { key: keys.signup(record.email, record.list), value: record };
  }
  for (let n = 0; n < others; n++) {
    const cart = cartOf(n);
    yield { key: keys.cart(cart.id), value: cart };
  }
  for (let n = 0; n < others; n++) {
    yield { key: keys.image(idOf(n), 0), value: { v: 1, at: AT, parts: 1, base64: "A".repeat(48_000) } };
  }
  for (let n = 0; n < signups; n++) {
    const consent = consentOf(n);
    yield { key: keys.consent(longEmail(n), LONG_LIST, consent.at, consent.id), value: consent };
  }
  for (let n = 0; n < others; n++) {
    const job = jobOf(n);
    yield { key: keys.job(job.id), value: job };
  }
  for (let n = 0; n < others; n++) {
    yield {
      key: keys.log("subscribe_ip", idOf(n)),
      value: { v: 1, at: Array.from({ length: 30 }, (_, at) => AT + at) },
    };
  }
  await Promise.resolve();
}

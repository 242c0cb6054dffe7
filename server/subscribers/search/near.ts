import type { Kv } from "../../platform/kv/port.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { withoutConsent } from "../../signup/record/consents.ts";
import { domainOf } from "../../signup/record/search_entries.ts";
import { readReadable } from "../../platform/kv/bad_rows.ts";
import { edits, editsToStart } from "../../platform/words/edits.ts";
import { isAddressTerm, type SubscriberQuery, type Term } from "./query.ts";
import { maxRows, type Row, scan } from "./scan.ts";
import { addressRange, timeRange } from "./search_range.ts";

/** Signups whose addresses are like the one that a search did not find. */
export interface NearMatches {
  /** The most similar first, and of those the newest. */
  records: SignupRecord[];
  /** Whether there may be others, because not all signups were compared. */
  partial: boolean;
}

export const MAX_NEAR = 10;

/** Rows to compare: those of a term, and the part of the rows of a page of results that they may be. */
interface Rows {
  term?: Term;
  share: number;
}

/** Compares a text with an address. Returns the number of typing errors, or undefined if they are not alike. */
type Compare = (email: string) => number | undefined;

/**
 * Returns the signups that a search without results may have meant: with a typing error in the domain or local part, or with
 * the searched text anywhere in their address. All other filters of the search apply. It compares no more rows than one page
 * of the search reads (`maxRows`), so its cost does not grow with the number of signups.
 */
export async function nearMatches(kv: Kv, query: SubscriberQuery): Promise<NearMatches> {
  if (!query.term) return { records: [], partial: false };
  const { compare, rows } = planOf(query.term);
  const { term: _, ...filters } = query;
  const read = await Promise.all(
    rows.map(({ term, share }) => readRows(kv, term ? { ...filters, term } : filters, share, compare)),
  );
  const near = new Map(
    read.flatMap(({ near }) => near).map((match) => [`${match.row.email} ${match.row.list}`, match]),
  );
  const best = [...near.values()].sort((a, b) => a.errors - b.errors || b.row.at - a.row.at)
    .slice(0, MAX_NEAR);
  const records = await readReadable(kv, best.map(({ row: { email, list } }) => signupKey(email, list)));
  return {
    records: records.flatMap((record) => record ? [withoutConsent(record)] : []),
    partial: read.some(({ partial }) => partial),
  };
}

async function readRows(
  kv: Kv,
  query: SubscriberQuery,
  share: number,
  compare: Compare,
): Promise<{ near: { row: Row; errors: number }[]; partial: boolean }> {
  const range = isAddressTerm(query.term) ? addressRange(query.term) : await timeRange(kv, query);
  if (!range) return { near: [], partial: false };
  const limit = Math.floor(maxRows(query) * share);
  const near: { row: Row; errors: number }[] = [];
  let rows = 0;
  for await (const row of scan(kv, query, range, { limit, batchSize: Math.min(limit, 500) })) {
    rows++;
    const errors = row.isMatch ? compare(row.email) : undefined;
    if (errors !== undefined) near.push({ row, errors });
  }
  return { near, partial: rows === limit };
}

/** Returns which rows to compare with a term, and how. The rows that most likely have it are found by an index. */
function planOf(term: Term): { compare: Compare; rows: Rows[] } {
  switch (term.by) {
    case "domain":
      return { compare: (email) => domainErrors(term.domain, domainOf(email)), rows: [{ share: 1 }] };
    case "address": {
      const [local, domain] = partsOf(term.email);
      return {
        compare: (email) => {
          const [itsLocal, itsDomain] = partsOf(email);
          return sum(typingErrors(local, itsLocal), domainErrors(domain!, itsDomain!));
        },
        rows: [
          { term: { by: "prefix", prefix: `${local}@` }, share: 0.25 },
          { term: { by: "prefix", prefix: startOf(local) }, share: 0.25 },
          { term: { by: "domain", domain: domain! }, share: 0.5 },
        ],
      };
    }
    default: {
      const text = term.by === "prefix" ? term.prefix : term.part;
      const [local, domain] = partsOf(text);
      return {
        compare: (email) => {
          if (email.includes(text)) return 0;
          const [itsLocal, itsDomain] = partsOf(email);
          if (domain !== undefined) {
            return sum(typingErrors(local, itsLocal), typingErrors(domain, itsDomain!, editsToStart));
          }
          const words = [itsLocal, ...itsLocal.split(/[._+-]/)];
          const errors = words.flatMap((word) => typingErrors(local, word, editsToStart) ?? []);
          return errors.length === 0 ? undefined : Math.min(...errors);
        },
        rows: [{ term: { by: "prefix", prefix: startOf(local) }, share: 0.25 }, { share: 0.75 }],
      };
    }
  }
}

/** Returns the local part and the domain of an address, or of the start of one. */
function partsOf(address: string): [local: string, domain: string | undefined] {
  const at = address.lastIndexOf("@");
  return at === -1 ? [address, undefined] : [address.slice(0, at), address.slice(at + 1)];
}

/** Returns the first half of a text, where people make few of their typing errors. */
const startOf = (text: string): string => text.slice(0, Math.ceil(text.length / 2));

/** Returns the number of typing errors, or undefined if there are too many for one text to be meant by the other. */
function typingErrors(typed: string, text: string, count = edits): number | undefined {
  const most = typed.length < 3 ? 0 : typed.length < 6 ? 1 : 2;
  if (typed.length - text.length > most) return undefined;
  if (count === edits && text.length - typed.length > most) return undefined;
  const errors = count(typed, text.slice(0, typed.length + most));
  return errors <= most ? errors : undefined;
}

/** The same for domains. Another ending, such as `.org` in place of `.com`, is one error. */
function domainErrors(typed: string, domain: string): number | undefined {
  const [name, ending] = endingOf(typed);
  const [itsName, itsEnding] = endingOf(domain);
  return sum(typingErrors(name, itsName), ending === itsEnding ? 0 : 1);
}

function endingOf(domain: string): [name: string, ending: string] {
  const dot = domain.lastIndexOf(".");
  return [domain.slice(0, dot), domain.slice(dot + 1)];
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

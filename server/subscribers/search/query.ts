import type { AnswerFilter } from "./answer_filter.ts";
import type { SignupSource } from "../../../shared/contract.ts";
import type { ListStatus, LocalStatus } from "../../../shared/outcomes.ts";

/** What `q` searches for. */
export type Term =
  | { by: "address"; email: string }
  | { by: "prefix"; prefix: string }
  | { by: "domain"; domain: string }
  | { by: "part"; part: string };

/** A term that the records themselves answer, because they are sorted by address. */
export type AddressTerm = Extract<Term, { by: "address" | "prefix" }>;

export function isAddressTerm(term: Term | undefined): term is AddressTerm {
  return term?.by === "address" || term?.by === "prefix";
}

/** The filters of a search. A record must match all that are given. */
export interface SubscriberQuery {
  term?: Term;
  status?: LocalStatus;
  listStatus?: ListStatus;
  form?: string;
  source?: SignupSource;
  /** Only signups from this source that name no form. */
  unnamedFrom?: SignupSource;
  /** First signed up at `from` or later, and before `until`; Unix milliseconds. */
  from?: number;
  until?: number;
  /** The following are in records only, not in an index. */
  answer?: AnswerFilter;
  /** Path of the page that showed the form; all that start with it if it ends with `*`. */
  path?: string;
  /** `utm_campaign` of that page. */
  campaign?: string;
}

import type { SignupSource } from "../../../shared/contract.ts";
import type { ConfirmedBy, ListStatus, LocalStatus } from "../../../shared/outcomes.ts";
import { type Key, typed } from "../../kv/key.ts";
import { keys } from "../../kv/keys.ts";

/** One signup: an address on a list (decision 18). */
export interface SignupRecord {
  /** 1: written before there was anything to search by; it has no entries yet (see `entries.ts`). */
  v: 1 | 2;
  /** Lowercased. */
  email: string;
  list: string;
  status: LocalStatus;
  /** When `status` became what it is; Unix milliseconds, like every time here. */
  since: number;
  /** What the list last said; absent before the provider was asked. */
  listStatus?: ListStatus;
  /** Why it failed, for the admin. */
  reason?: string;
  confirmed?: { at: number; by: ConfirmedBy };
  name?: string;
  tags: string[];
  source: SignupSource;
  form?: string;
  createdAt: number;
  updatedAt: number;
  /** What happened since it was accepted, oldest first; bounded. */
  history?: RecordEvent[];
}

/** Returns the key of a signup's record. */
export const signupKey = (email: string, list: string): Key<SignupRecord> => typed(keys.signup(email, list));

/** What a visitor did and saw: proof of consent, one row a signup. */
export interface ConsentRow {
  v: 1;
  id: string;
  at: number;
  given: boolean;
  /** SHA-256 of the consent text shown, under which the text is kept; absent where no consent was asked for. */
  textHash?: string;
  locale: string;
  /** Blanked after the Privacy tab's retention. */
  ip: string | null;
  source: SignupSource;
  form?: string;
  placement?: string;
  /** Origin of the page the form stood on, if the browser told. */
  origin?: string;
}

/** Returns the key of one proof of consent. */
export const consentKey = (email: string, list: string, at: number, id: string): Key<ConsentRow> =>
  typed(keys.consent(email, list, at, id));

/** A signup as any source hands it in, checked and normalised. */
export interface Signup {
  email: string;
  list: string;
  name?: string;
  tags: string[];
  source: SignupSource;
  form?: string;
  consent: Pick<ConsentRow, "given" | "textHash" | "locale" | "ip" | "placement" | "origin"> & {
    /** The text itself, while no row keeps it yet. */
    newText?: string;
  };
}

/** Something that happened to a record and that nothing else tells; times are Unix milliseconds. */
export type RecordEvent = { at: number; times?: number } & EventDetails;

export type EventDetails =
  /** Its local status moved. */
  | { kind: "status"; from: LocalStatus; to: LocalStatus; reason?: string; by?: ConfirmedBy }
  /** The list was seen to say something else. */
  | { kind: "list"; status: ListStatus }
  /** An attempt to bring it to the provider, and what that came to. */
  | { kind: "delivery"; attempt: number; result: string }
  /** A delivery that was put off without asking the provider. */
  | { kind: "waiting"; reason: string }
  /** What somebody did by hand. */
  | { kind: "admin"; act: AdminAction; by: string; note?: string };

export type AdminAction = "check" | "resend" | "allow_again";

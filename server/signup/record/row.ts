import type { SignupSource } from "../../../shared/contract.ts";
import type { SignupPage } from "../../../shared/signup_page.ts";
import type { ConfirmedBy, ListStatus, LocalStatus } from "../../../shared/outcomes.ts";
import type { FieldValues } from "../../../shared/fields/kinds.ts";
import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";

/** One signup: an address on a list (decision 18). */
export interface SignupRecord {
  /** Version 1 has no search entries yet: a new signup, or a row of an earlier release (see `search_entries.ts`). */
  v: 1 | 2;
  /** Lowercased. */
  email: string;
  list: string;
  status: LocalStatus;
  /**
   * When `status` last changed, in Unix milliseconds like all times here. Of a pending one, when its latest signup or resend
   * reached the provider: its 30 days begin then.
   */
  since: number;
  /** Last known status on the list at the provider; missing before the first read. */
  listStatus?: ListStatus;
  /** When the provider was asked for `listStatus`; missing in rows of earlier versions. */
  listStatusAt?: number;
  /**
   * Since when somebody who was active before and left awaits their new confirmation, like `since` of a pending one. Missing
   * once the poll has stopped looking for it, and in rows of earlier versions.
   */
  pendingSince?: number;
  /** Why it failed; shown in the admin. */
  reason?: string;
  /** URL of the provider's form, if it failed because only that form accepts the address again. */
  rejoinUrl?: string;
  confirmed?: { at: number; by: ConfirmedBy };
  name?: string;
  tags: string[];
  /** Values of the form's fields that are not in the contract, by name. */
  fields?: FieldValues;
  source: SignupSource;
  form?: string;
  /** The page with which the address first signed up, if its form had `attribution` on. */
  page?: SignupPage;
  /** The variants of experiments that the visitor saw: `VariantName`s. */
  variants?: string[];
  /** Whether an order was counted for its variants. */
  variantsOrdered?: true;
  /**
   * The provider that it was accepted for and that has its list, as `general.provider` names it. It is delivered there and
   * its status is read there, even if another provider is chosen meanwhile. Missing in rows of earlier versions.
   */
  provider?: string;
  /** What the latest move to another provider did, from this list to another one. */
  migration?: {
    /** When the move started, which identifies it. */
    run: number;
    /** The new provider, and the ID of the list there. */
    to: string;
    list: string;
    /** `active`: they were active there before. */
    result: "moved" | "active" | "skipped";
    /** Why they were skipped, as a sentence. */
    reason?: string;
  };
  createdAt: number;
  updatedAt: number;
  /** The proof of consent of a new signup, which has no row of its own yet (see `putRecord`). */
  consent?: ConsentRow;
  /** The latest events, oldest first. */
  history?: RecordEvent[];
}

/** Returns the key of a signup's record. */
export const signupKey = (email: string, list: string): Key<SignupRecord> => typed(keys.signup(email, list));

/**
 * Proof of consent: what a visitor saw and did, once per signup. Each has a row, except in a record that is new
 * (`SignupRecord.consent`); `readConsents` returns both.
 */
export interface ConsentRow {
  v: 1;
  id: string;
  at: number;
  given: boolean;
  /** Hash of the consent text that was shown (see `consentHash`); missing if there was none. */
  textHash?: string;
  locale: string;
  /** Null if unknown, or removed after the retention. */
  ip: string | null;
  source: SignupSource;
  form?: string;
  placement?: string;
  /** Origin of the page with the form, if the browser sent it. */
  origin?: string;
  /** The consents among the form's fields that were shown. */
  consents?: FieldConsent[];
}

/** What a visitor saw and did about a consent that is a field of the form. */
export interface FieldConsent {
  /** Name of the field. */
  field: string;
  given: boolean;
  /** Hash of the text that was shown (see `consentHash`). */
  textHash: string;
}

/** Returns the key of one proof of consent. */
export const consentKey = (email: string, list: string, at: number, id: string): Key<ConsentRow> =>
  typed(keys.consent(email, list, at, id));

/** A validated and normalized signup from any source. */
export interface Signup {
  email: string;
  list: string;
  /** The provider that was chosen when the list was. */
  provider: string;
  name?: string;
  tags: string[];
  fields?: FieldValues;
  source: SignupSource;
  form?: string;
  page?: SignupPage;
  variants?: string[];
  consent: Pick<ConsentRow, "given" | "textHash" | "locale" | "ip" | "placement" | "origin" | "consents"> & {
    /** The consent texts that are not stored yet. */
    newTexts?: string[];
  };
}

/** An event in the history of a record. `times` counts repetitions. */
export type RecordEvent = { at: number; times?: number } & EventDetails;

export type EventDetails =
  /** Its local status changed. */
  | { kind: "status"; from: LocalStatus; to: LocalStatus; reason?: string; by?: ConfirmedBy }
  /** Its status on the list changed. */
  | { kind: "list"; status: ListStatus }
  /**
   * An attempt to deliver it to the provider, and the result. `noEmail`: the person was pending before, and got no new
   * email. Rows of earlier versions lack `failed` and `noEmail`.
   */
  | { kind: "delivery"; attempt: number; result: string; failed?: true; noEmail?: true }
  /** A delivery was postponed without a call to the provider. */
  | { kind: "waiting"; reason: string }
  /** An action of an admin. */
  | { kind: "admin"; act: AdminAction; by: string; note?: string };

export type AdminAction = "check" | "resend" | "allow_again";

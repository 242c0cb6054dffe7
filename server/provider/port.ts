import type { ListStatus } from "../../shared/outcomes.ts";

/** What every adapter may answer when the call did not settle the question. */
export interface Trouble {
  kind: "trouble";
  /** For the log and the admin, never for the visitor. */
  reason: string;
  /** The provider's own wish, from `Retry-After`. */
  retryAfterMs?: number;
  /** True when the call may have taken effect all the same: a time-out, a reset, an answer that made no sense. */
  unknown: boolean;
}

export type SubscribeResult =
  /** The provider took it; `status()` tells what came of it. */
  | { kind: "accepted" }
  /** It had the address already; `status()` tells in which state. */
  | { kind: "exists" }
  /** The address is bounced or suppressed there (the contract's 405). */
  | { kind: "suppressed"; reason: string }
  /** The provider will never take this address. */
  | { kind: "refused"; reason: string }
  | Trouble;

export type StatusResult = { kind: "found"; status: ListStatus } | { kind: "absent" } | Trouble;

export type ResendResult = { kind: "sent" } | { kind: "refused"; reason: string } | Trouble;

/** One mail, made from a template at the provider. */
export interface TriggeredMail {
  /** The template's id there. */
  template: string;
  /** Never empty: a provider may take an empty list for everybody. */
  emails: readonly [string, ...string[]];
  /** What the template fills in. */
  data: Record<string, unknown>;
}

export type TriggerResult =
  /** The provider took it. */
  | { kind: "sent" }
  /** It will never send this: the address is bounced or suppressed there, or it makes no sense of the mail. */
  | { kind: "refused"; reason: string }
  | Trouble;

export interface ProviderList {
  id: string;
  name: string;
  doubleOptIn: boolean;
}

export type ListsResult = { kind: "lists"; lists: ProviderList[] } | Trouble;

/** One subscriber as a listing shows it. */
export interface Listed {
  email: string;
  status: ListStatus;
  /** When it last changed, Unix milliseconds; absent where the provider does not say. */
  changedAt?: number;
}

/** A page of subscribers of one list. `total` counts all that match, `more` says whether another page follows. */
export type PageResult = { kind: "page"; items: Listed[]; total: number; more: boolean } | Trouble;

export interface Capabilities {
  /** A confirmation mail can be sent again. */
  resend: boolean;
  /** Subscribers can be listed by what changed last, and by status. Without it the poll asks one by one. */
  listing: boolean;
  /** It sends mail from templates of its own when asked to. */
  triggered: boolean;
}

/** An address on a list. */
export interface Target {
  list: string;
  email: string;
}

/**
 * What the service asks of an e-mail provider. `subscribe` states an intent, `status` is the truth. Calls never
 * throw: whatever goes wrong on the way is a `Trouble`. Each call ends within its time-out.
 */
export interface Provider {
  readonly name: string;
  readonly capabilities: Capabilities;
  subscribe(target: Target, person: { name?: string; tags: string[] }): Promise<SubscribeResult>;
  status(target: Target, signal?: AbortSignal): Promise<StatusResult>;
  resend(target: Target): Promise<ResendResult>;
  /** Refuses an empty list of addresses by itself, without asking anybody. */
  sendTriggered(mail: TriggeredMail, signal?: AbortSignal): Promise<TriggerResult>;
  lists(): Promise<ListsResult>;
  /** Newest change first. `page` counts from 0. */
  changed(list: string, page: number): Promise<PageResult>;
  /** Those still awaiting confirmation, oldest first. `page` counts from 0. */
  unconfirmed(list: string, page: number): Promise<PageResult>;
}

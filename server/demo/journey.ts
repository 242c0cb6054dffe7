import type { ConfirmedBy, ListStatus, LocalStatus } from "../../shared/outcomes.ts";

/** How far a signup has come. Times are Unix milliseconds of this server; what has not happened is absent. */
export interface JourneyFacts {
  /** The signup was committed, and the visitor answered. */
  acceptedAt?: number;
  /** The provider took it. */
  deliveredAt?: number;
  /** The confirmation mail was sent; in the sandbox, laid into the inbox. */
  mailedAt?: number;
  /** The link in that mail. Only where `allowed` may know it: it confirms whoever opens it. */
  mailLink?: string;
  /** This service noticed the confirmation. */
  confirmedAt?: number;
  confirmedBy?: ConfirmedBy;
  status?: LocalStatus | ListStatus;
  /** Fake successes (honeypot, token), counted by the hour from that of `since`: two looks tell what came between. */
  dropped: number;
}

/**
 * The newest signup accepted at or after `since`, and the drops since then.
 *
 * @param since Unix milliseconds
 * @returns facts with `dropped` alone when there were drops and no signup; null when there was neither
 */
export type Journey = (since: number) => Promise<JourneyFacts | null>;

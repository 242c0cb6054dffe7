import type { ConfirmedBy, ListStatus, LocalStatus } from "../../../shared/outcomes.ts";

/** The progress of a signup. Times are Unix milliseconds of this server; steps that have not happened are absent. */
export interface JourneyFacts {
  /** The signup was committed and the visitor got the response. */
  acceptedAt?: number;
  /** The provider accepted the signup. */
  deliveredAt?: number;
  /** The confirmation email was sent; with the sandbox, added to its inbox. */
  mailedAt?: number;
  /** The link in that email. Return it only to permitted requests, because opening it confirms the signup. */
  mailLink?: string;
  /** When this service noticed the confirmation. */
  confirmedAt?: number;
  confirmedBy?: ConfirmedBy;
  status?: LocalStatus | ListStatus;
  /**
   * Dropped requests since the start of the hour of `since`. The difference of two reads is what happened in
   * between.
   */
  dropped: number;
}

/**
 * Returns the newest signup accepted at or after `since` (Unix milliseconds), and the number of dropped requests.
 * With drops and no signup, the result has only `dropped`; with neither, it is null.
 */
export type Journey = (since: number) => Promise<JourneyFacts | null>;

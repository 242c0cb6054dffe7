import type { ConfirmedBy } from "../../shared/outcomes.ts";
import type { Counters } from "../observe/counters.ts";
import type { Meters } from "../observe/meters.ts";
import type { SignupRecord } from "../signup/record/record.ts";

/**
 * Told of every record that a look at the provider has made active, after the commit that made it so.
 *
 * @param afterMs since the provider noted it, where the provider says when
 */
export type Confirmed = (
  record: Pick<SignupRecord, "form" | "source">,
  by: ConfirmedBy,
  afterMs?: number,
) => void;

/** Where a confirmation is counted: under the form that the address first came by, for the site's owner to see. */
export function countConfirmed({ meters, counters }: { meters: Meters; counters: Counters }): Confirmed {
  return ({ form, source }, by, afterMs) => {
    meters.confirmed(by, afterMs);
    counters.note(`confirmed.${by}`, form ?? source);
  };
}

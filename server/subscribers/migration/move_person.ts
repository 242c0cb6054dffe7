import type { ListStatus } from "../../../shared/outcomes.ts";
import type { ImportResult, Provider } from "../../provider/port.ts";
import type { Trouble } from "../../provider/trouble.ts";
import type { ConsentRow, SignupRecord } from "../../signup/record/row.ts";

/** What became of one person. */
export type MoveResult =
  | { kind: "moved" }
  /** Active at the new provider before. */
  | { kind: "active" }
  | { kind: "skipped"; reason: string };

const STATUS_TEXTS: Readonly<Record<ListStatus, string>> = {
  pending: "has not confirmed",
  active: "is active",
  paused: "has paused the emails",
  unsubscribed: "has unsubscribed",
  suppressed: "is suppressed",
  bounced: "has an address that bounces",
};
const skipped = (status: ListStatus, where: "old" | "new"): MoveResult => ({
  kind: "skipped",
  reason: `The person ${STATUS_TEXTS[status]} at the ${where} provider.`,
});
const NO_PROOF: MoveResult = { kind: "skipped", reason: "cfbe did not record a confirmation." };
const ABSENT: MoveResult = { kind: "skipped", reason: "The person is not on the list at the old provider." };
const REFUSED: MoveResult = { kind: "skipped", reason: "The new provider does not accept the address." };

interface Move {
  /** The provider that the person is on, and the one to add them to. */
  from: Provider;
  to: Provider;
  /** ID of the list at the new provider. */
  list: string;
  record: SignupRecord;
  /** The latest proof of consent. */
  consent: ConsentRow | undefined;
  dryRun: boolean;
  signal: AbortSignal;
}

/**
 * Adds an active person to the new provider, if they confirmed and are still active at the old one. Nobody gets an email.
 * A repeat finds them active at the new provider, and changes nothing.
 *
 * @returns trouble if one of the providers could not do its part now
 */
export async function movePerson(move: Move): Promise<MoveResult | Trouble> {
  const { from, to, record, consent, dryRun, signal } = move;
  const { email, confirmed, listStatus = "active" } = record;
  if (!confirmed) return NO_PROOF;
  if (listStatus !== "active") return skipped(listStatus, "old");
  // cfbe does not hear of everyone who left: a webhook call can get lost, and some providers send none.
  const read = await from.status({ list: record.list, email }, signal);
  if (read.kind === "trouble") return read;
  if (read.kind === "absent") return ABSENT;
  if (read.status !== "active") return skipped(read.status, "old");
  const target = { list: move.list, email };
  if (dryRun) {
    const known = await to.status(target, signal);
    if (known.kind === "trouble") return known;
    return resultOf(known.kind === "found" ? { kind: "exists", status: known.status } : { kind: "imported" });
  }
  return resultOf(
    await to.importConfirmed(target, {
      tags: record.tags,
      confirmedAt: confirmed.at,
      ...(record.name !== undefined && { name: record.name }),
      ...(consent?.ip != null && { ip: consent.ip }),
    }, signal),
  );
}

function resultOf(result: ImportResult): MoveResult | Trouble {
  switch (result.kind) {
    case "imported":
      return { kind: "moved" };
    case "exists":
      return result.status === "active" ? { kind: "active" } : skipped(result.status, "new");
    case "refused":
      return REFUSED;
    default:
      return result;
  }
}

import type { ListStatus } from "../../../shared/outcomes.ts";
import type {
  ConfirmedPerson,
  ImportResult,
  OmittedProperties,
  Provider,
} from "../../providers/port/port.ts";
import { mayRejectProperties } from "../../providers/http/rejected_properties.ts";
import type { Trouble } from "../../providers/port/trouble.ts";
import type { ConsentRow, SignupRecord } from "../../signup/record/row.ts";
import { type MovedValues, omittedValues, storedValues } from "./moved_values.ts";

/** What became of one person. */
export type MoveResult =
  | { kind: "moved"; values: MovedValues }
  /** Active at the new provider before. */
  | { kind: "active"; values: MovedValues }
  | { kind: "skipped"; reason: string };

const STATUS_TEXTS: Readonly<Record<ListStatus, string>> = {
  pending: "has not confirmed",
  active: "is active",
  paused: "has paused the emails",
  unsubscribed: "has unsubscribed",
  suppressed: "is suppressed",
  bounced: "has an address that bounces",
};
export const skipped = (status: ListStatus, where: "old" | "new"): MoveResult => ({
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
  /** The latest proof of consent that they confirmed. */
  consent: ConsentRow | undefined;
  /** The values of the person's fields, by the names that they have at the new provider. */
  properties: Readonly<Record<string, string | number>>;
  dryRun: boolean;
  signal: AbortSignal;
}

/**
 * Adds an active person to the new provider, with the values of their fields, if they confirmed and are still active at the
 * old one. Nobody gets an email. A repeat finds them active at the new provider, and changes nothing.
 *
 * @returns trouble if one of the providers could not do its part now
 */
export async function movePerson(move: Move): Promise<MoveResult | Trouble> {
  const { from, to, record, consent, properties, dryRun, signal } = move;
  const { email, confirmed, listStatus = "active" } = record;
  if (!confirmed) return NO_PROOF;
  // Who is known as pending may have confirmed by now: the status below decides.
  if (listStatus !== "active" && listStatus !== "pending") return skipped(listStatus, "old");
  // cfbe does not hear of everyone who left: a webhook call can get lost, and some providers send none.
  const read = await from.status({ list: record.list, email }, signal);
  if (read.kind === "trouble") return read;
  if (read.kind === "absent") return ABSENT;
  if (read.status !== "active") return skipped(read.status, "old");
  const target = { list: move.list, email };
  if (dryRun) {
    const known = await to.status(target, signal);
    if (known.kind === "trouble") return known;
    if (known.kind === "found") return existing(known.status, properties);
    return moved(to, properties, {});
  }
  const person: ConfirmedPerson = {
    tags: record.tags,
    confirmedAt: confirmed.at,
    ...(record.name !== undefined && { name: record.name }),
    ...(consent?.ip != null && { ip: consent.ip }),
  };
  const isSent = to.capabilities.properties && Object.keys(properties).length > 0;
  const result = await to.importConfirmed(target, isSent ? { ...person, properties } : person, signal);
  if (!isSent || !mayRejectProperties(result)) return resultOf(move, result);
  // Nobody loses their subscription because of an answer.
  const without = await to.importConfirmed(target, person, signal);
  return without.kind === "imported"
    ? { kind: "moved", values: omittedValues(properties, "rejected") }
    : resultOf(move, without);
}

function resultOf({ to, properties }: Move, result: ImportResult): MoveResult | Trouble {
  switch (result.kind) {
    case "imported":
      return moved(to, properties, result.omitted);
    case "exists":
      return existing(result.status, properties);
    case "refused":
      return REFUSED;
    default:
      return result;
  }
}

function moved(
  { capabilities }: Provider,
  properties: Move["properties"],
  omitted: OmittedProperties,
): MoveResult {
  const values = capabilities.properties
    ? storedValues(properties, omitted)
    : omittedValues(properties, "unsupported");
  return { kind: "moved", values };
}

function existing(status: ListStatus, properties: Move["properties"]): MoveResult {
  return status === "active"
    ? { kind: "active", values: omittedValues(properties, "active") }
    : skipped(status, "new");
}

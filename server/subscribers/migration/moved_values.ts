import type { OmissionReason, OmittedProperties } from "../../providers/port/port.ts";

/**
 * What became of field values: answers to forms, and the values of a signup's page that the settings send. Only counts,
 * because the row of a move contains nothing about a person.
 */
export interface MovedValues {
  stored: number;
  /** How many were not stored, by reason: a sentence, which names the field if the reason is about one. */
  omitted: Record<string, number>;
}

/** Why a value was not stored. `active`: nothing was sent. `rejected`: the person was accepted only without values. */
export type OmittedValueReason = OmissionReason | "active" | "rejected" | "unsupported";

const REASONS: Readonly<Record<OmittedValueReason, (field: string) => string>> = {
  refused: (field) => `The new provider cannot have the field ${field}.`,
  type: (field) => `The field ${field} has another type at the new provider.`,
  exists: () => "The new provider knew the person, who keeps what it stores about them.",
  active: () => "The person was active at the new provider before.",
  rejected: () => "The new provider accepted the person only without their answers.",
  unsupported: () => "The new provider stores no fields.",
};

/** Reasons that are counted separately, so that the row of a move stays far below the largest possible one. */
const MAX_REASONS = 100;
const OTHER = "Other fields.";

type Properties = Readonly<Record<string, string | number>>;

/** Returns the counts for a person of whom the new provider stored all values but the omitted ones. */
export function storedValues(properties: Properties, omitted: OmittedProperties): MovedValues {
  const names = Object.keys(properties);
  const lost = names.filter((name) => Object.hasOwn(omitted, name));
  return {
    stored: names.length - lost.length,
    omitted: countsOf(lost.map((name) => REASONS[omitted[name]!](name))),
  };
}

/** Returns the counts for a person of whom no value was stored. */
export function omittedValues(properties: Properties, reason: OmittedValueReason): MovedValues {
  return { stored: 0, omitted: countsOf(Object.keys(properties).map(REASONS[reason])) };
}

function countsOf(reasons: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

/** Returns the sum of both counts. */
export function addValues(sum: MovedValues, more: MovedValues): MovedValues {
  const omitted = { ...sum.omitted };
  for (const [reason, count] of Object.entries(more.omitted)) {
    const isFull = !(reason in omitted) && Object.keys(omitted).length >= MAX_REASONS;
    const counted = isFull ? OTHER : reason;
    omitted[counted] = (omitted[counted] ?? 0) + count;
  }
  return { stored: sum.stored + more.stored, omitted };
}

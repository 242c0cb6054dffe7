import { createHash } from "node:crypto";
import type { OmissionReason, OmittedProperties } from "./port.ts";
import type { Trouble } from "./trouble.ts";

/** Custom fields of an account that have to exist before a provider stores a value in them. */

type Value = string | number;

/** How an adapter reads and creates such fields, and finds the one for a property. */
export interface CustomFieldCalls<Field> {
  /** Identifies the account, such as its API key. */
  account(): string;
  read(signal?: AbortSignal): Promise<{ kind: "fields"; fields: Field[] } | Trouble>;
  /** `exists`: another process created it in the meantime. `refused`: the account can't have this field. */
  create(
    property: string,
    value: Value,
    signal?: AbortSignal,
  ): Promise<{ kind: "created"; field: Field } | { kind: "exists" | "refused" } | Trouble>;
  find(fields: readonly Field[], property: string): Field | undefined;
  /** Returns the key and the value to send, or undefined if the field can't hold the value. */
  entry(field: Field, value: Value): [key: string, value: Value] | undefined;
}

/** The values of a person's custom fields by key, and the properties that have none. */
export interface CustomValues {
  kind: "values";
  values: Record<string, Value>;
  omitted: OmittedProperties;
}

/** Returns the values of a person's custom fields, after it created the fields that did not exist. */
export type CustomFieldsOf = (
  properties: Readonly<Record<string, Value>>,
  signal?: AbortSignal,
) => Promise<CustomValues | Trouble>;

/** Returns whether a property's name has characters that the keys of most providers can't have, and replace. */
export function hasOtherLetters(property: string): boolean {
  return /[^ -~]/.test(property);
}

/** Returns four hexadecimal digits that are the same for a property each time, and tell it from others. */
export function hashOfProperty(property: string): string {
  return createHash("sha256").update(property.trim().toLowerCase()).digest("hex").slice(0, 4);
}

/** How long a refused field is not asked for again. A move would otherwise send two requests more for each person. */
export const REFUSED_FOR_MS = 10 * 60_000;

/** Returns every property, as omitted because the person exists. */
export function allOmitted(properties: Readonly<Record<string, Value>>): OmittedProperties {
  return Object.fromEntries(Object.keys(properties).map((property) => [property, "exists"]));
}

/**
 * Returns the function that creates missing fields. It remembers which exist, and for a while which were refused. A property
 * is left out if the account can't have its field, or if the existing field can't hold its value: a signup must not fail
 * because of it.
 *
 * Its trouble is never of an unknown effect, because nobody has been subscribed yet, and a field that was created is found
 * by the next call.
 *
 * @param now returns Unix milliseconds
 */
export function customFieldCreator<Field>(
  calls: CustomFieldCalls<Field>,
  now: () => number = Date.now,
): CustomFieldsOf {
  let known: { account: string; fields: Field[] } = { account: "", fields: [] };
  const refusedAt = new Map<string, number>();
  const failed = (trouble: Trouble): Trouble => ({ ...trouble, unknown: false });
  const wasRefused = (property: string) => now() - (refusedAt.get(property) ?? -Infinity) < REFUSED_FOR_MS;

  return async (properties, signal) => {
    const account = calls.account();
    if (known.account !== account) {
      known = { account, fields: [] };
      refusedAt.clear();
    }
    const wanted = Object.entries(properties);
    const isMissing = (property: string) => !calls.find(known.fields, property) && !wasRefused(property);
    if (wanted.some(([property]) => isMissing(property))) {
      const read = await calls.read(signal);
      if (read.kind === "trouble") return failed(read);
      known = { account, fields: read.fields };
    }
    const values: Record<string, Value> = {};
    const omitted: Record<string, OmissionReason> = {};
    for (const [property, value] of wanted) {
      let field = calls.find(known.fields, property);
      if (isMissing(property)) {
        const created = await calls.create(property, value, signal);
        if (created.kind === "trouble") return failed(created);
        if (created.kind === "created") known.fields.push(field = created.field);
        if (created.kind === "refused") refusedAt.set(property, now());
        if (created.kind === "exists") {
          const read = await calls.read(signal);
          if (read.kind === "trouble") return failed(read);
          known = { account, fields: read.fields };
          field = calls.find(known.fields, property);
        }
      }
      const entry = field && calls.entry(field, value);
      if (entry) values[entry[0]] = entry[1];
      else omitted[property] = field ? "type" : "refused";
    }
    return { kind: "values", values, omitted };
  };
}

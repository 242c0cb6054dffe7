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

/** Returns the values of a person's custom fields by key, after it created the fields that did not exist. */
export type CustomFieldsOf = (
  properties: Readonly<Record<string, Value>>,
  signal?: AbortSignal,
) => Promise<{ kind: "values"; values: Record<string, Value> } | Trouble>;

/**
 * Returns the function that creates missing fields. It remembers which exist. A property is left out if the account can't
 * have its field, or if the existing field can't hold its value: a signup must not fail because of it.
 *
 * Its trouble is never of an unknown effect, because nobody has been subscribed yet, and a field that was created is found
 * by the next call.
 */
export function customFieldCreator<Field>(calls: CustomFieldCalls<Field>): CustomFieldsOf {
  let known: { account: string; fields: Field[] } = { account: "", fields: [] };
  const failed = (trouble: Trouble): Trouble => ({ ...trouble, unknown: false });

  return async (properties, signal) => {
    const account = calls.account();
    if (known.account !== account) known = { account, fields: [] };
    const wanted = Object.entries(properties);
    if (wanted.some(([property]) => !calls.find(known.fields, property))) {
      const read = await calls.read(signal);
      if (read.kind === "trouble") return failed(read);
      known = { account, fields: read.fields };
    }
    const values: Record<string, Value> = {};
    for (const [property, value] of wanted) {
      let field = calls.find(known.fields, property);
      if (!field) {
        const created = await calls.create(property, value, signal);
        if (created.kind === "trouble") return failed(created);
        if (created.kind === "created") known.fields.push(field = created.field);
        if (created.kind === "exists") {
          const read = await calls.read(signal);
          if (read.kind === "trouble") return failed(read);
          known = { account, fields: read.fields };
          field = calls.find(known.fields, property);
        }
      }
      const entry = field && calls.entry(field, value);
      if (entry) values[entry[0]] = entry[1];
    }
    return { kind: "values", values };
  };
}

import { allOmitted, type CustomFieldsOf, type CustomValues } from "../../port/custom_fields.ts";
import type { NewPerson, Provider } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";

/** Returns the custom properties to store with a person who is added to a list. */
export type PersonValues = (
  email: string,
  person: Pick<NewPerson, "name" | "properties">,
  signal?: AbortSignal,
) => Promise<CustomValues | Trouble>;

/** Returns the function that returns those properties. A contact that exists keeps its own. */
export function personValues(contact: Provider["contact"], fieldsOf: CustomFieldsOf): PersonValues {
  return async (email, { name, properties = {} }, signal) => {
    // Without a property of that name, BlueFox drops the name. Nobody has to wait for it.
    if (name) await fieldsOf({ name }, signal);
    if (Object.keys(properties).length === 0) return { kind: "values", values: {}, omitted: {} };
    const known = await contact(email, signal);
    if (known.kind === "trouble") return known;
    return known.kind === "absent"
      ? await fieldsOf(properties, signal)
      : { kind: "values", values: {}, omitted: allOmitted(properties) };
  };
}

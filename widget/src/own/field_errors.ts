/** Marks invalid fields in the page's own markup. Loaded when the server rejects a signup's fields. */
import { type SubscribeResponse, VISITOR_FIELDS } from "../../../shared/contract.ts";
import { inputsOf } from "../signup/fields.ts";

const DESCRIBED_BY = "aria-describedby";
let count = 0;
const warnedFields = new WeakMap<HTMLFormElement, Set<string>>();

/** Warns the developer of the page, once per form, about a missing field. Without it, no signup can succeed. */
function warnMissing(form: HTMLFormElement, name: string): void {
  const warned = warnedFields.get(form) ?? new Set();
  if (!warned.has(name)) console.warn(`[cfbe] this form has no field "${name}", which the settings require`);
  warnedFields.set(form, warned.add(name));
}

/**
 * Marks the invalid fields, connects them to the message, and focuses the first.
 *
 * @returns a function that removes the marks
 */
export function markFields(
  form: HTMLFormElement,
  message: HTMLElement,
  fields: NonNullable<SubscribeResponse["fields"]>,
): () => void {
  message.id ||= `cfbe-message-${++count}`;
  const invalid = VISITOR_FIELDS.filter((name) => fields[name]).flatMap((name) => {
    const inputs = inputsOf(form, name);
    if (!inputs.length) warnMissing(form, name);
    return inputs;
  });
  const describe = (input: HTMLInputElement, more: string[]) => {
    const ids = (input.getAttribute(DESCRIBED_BY) ?? "").split(" ").filter((id) => id && id !== message.id);
    if (ids.push(...more)) input.setAttribute(DESCRIBED_BY, ids.join(" "));
    else input.removeAttribute(DESCRIBED_BY);
  };
  for (const input of invalid) {
    input.ariaInvalid = "true";
    describe(input, [message.id]);
  }
  invalid[0]?.focus();
  return () => {
    for (const input of invalid) {
      input.ariaInvalid = null;
      describe(input, []);
    }
  };
}

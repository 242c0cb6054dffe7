/** What a refused signup changes on the fields of a form in the page's own markup: loaded when one is refused. */
import { type Answer, VISITOR_FIELDS } from "../../../shared/contract.ts";
import { inputsOf } from "../signup/fields.ts";

const DESCRIBED_BY = "aria-describedby";
const lacking = new WeakMap<HTMLFormElement, Set<string>>();

/** Names a field to the page's author, once a form: without it nobody can sign up there. */
function warn(form: HTMLFormElement, name: string): void {
  const named = lacking.get(form) ?? new Set();
  if (!named.has(name)) console.warn(`[cfbe] the settings ask for a field "${name}", which this form lacks`);
  lacking.set(form, named.add(name));
}

/**
 * Marks the wrong fields, ties them to the message, and moves the focus to the first.
 *
 * @returns takes the marks away
 */
export function markFields(
  form: HTMLFormElement,
  message: HTMLElement,
  fields: NonNullable<Answer["fields"]>,
): () => void {
  const wrong = VISITOR_FIELDS.filter((name) => fields[name]).flatMap((name) => {
    const inputs = inputsOf(form, name);
    if (!inputs.length) warn(form, name);
    return inputs;
  });
  const describe = (input: HTMLInputElement, more: string[]) => {
    const ids = (input.getAttribute(DESCRIBED_BY) ?? "").split(" ").filter((id) => id && id !== message.id);
    if (ids.push(...more)) input.setAttribute(DESCRIBED_BY, ids.join(" "));
    else input.removeAttribute(DESCRIBED_BY);
  };
  for (const input of wrong) {
    input.ariaInvalid = "true";
    describe(input, [message.id]);
  }
  wrong[0]?.focus();
  return () => {
    for (const input of wrong) {
      input.ariaInvalid = null;
      describe(input, []);
    }
  };
}

/** Marks invalid fields in the page's own markup. Loaded when the server rejects a signup's fields. */
import type { SubscribeResponse } from "../../../shared/contract.ts";
import { elementsOf } from "../signup/fields.ts";

const DESCRIBED_BY = "aria-describedby";
let count = 0;
const warnedFields = new WeakMap<HTMLFormElement, Set<string>>();

/** Warns the developer of the page, once per form, about a missing field. Without it, no signup can succeed. */
function warnMissing(form: HTMLFormElement, name: string): void {
  const warned = warnedFields.get(form) ?? new Set();
  if (!warned.has(name)) console.warn(`[cfbe] this form has no field "${name}", which the settings require`);
  warnedFields.set(form, warned.add(name));
}

/** Marks the invalid fields instead of those marked before, connects them to the message, and focuses the first. */
export function start(
  form: HTMLFormElement,
  message: HTMLElement,
  fields: NonNullable<SubscribeResponse["fields"]>,
): void {
  message.id ||= `cfbe-message-${++count}`;
  const inputs = [...elementsOf(form)];
  const fieldOf = ({ name, dataset }: HTMLInputElement) =>
    dataset["cfbeField"] ?? name.replace(/^fields.(.+)]$/, "$1");
  for (const name in fields) {
    if (!inputs.some((input) => fieldOf(input) === name)) warnMissing(form, name);
  }
  // The first one on the page gets the focus.
  const invalid = inputs.filter((input) => fields[fieldOf(input)]);
  for (const input of inputs) {
    const ids = (input.getAttribute(DESCRIBED_BY) ?? "").split(" ").filter((id) => id);
    const others = ids.filter((id) => id !== message.id);
    const isMarked = others.length < ids.length && input.hasAttribute("aria-invalid");
    if (invalid.includes(input)) {
      input.setAttribute("aria-invalid", "true");
      input.setAttribute(DESCRIBED_BY, [...others, message.id].join(" "));
    } else if (isMarked) {
      input.removeAttribute("aria-invalid");
      if (others[0]) input.setAttribute(DESCRIBED_BY, others.join(" "));
      else input.removeAttribute(DESCRIBED_BY);
    }
  }
  invalid[0]?.focus();
  // Safari scrolls only to where the visitor types.
  invalid[0]?.scrollIntoView({ block: "nearest" });
}

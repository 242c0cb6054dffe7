import type { Answer } from "../../../shared/contract.ts";
import { inputsOf } from "../signup/fields.ts";

/** Fields that a visitor sees, in the order in which the first wrong one is looked for. */
const FIELDS = ["email", "name", "interests", "consent"] as const;
let count = 0;

/** Tells the visitor how a signup goes, in the page's own markup. */
export interface Report {
  /** It is under way. */
  busy(text: string): void;
  answer(answer: Answer): void;
}

/** The element that the page set aside for messages, or one at the end of the form. */
function messageOf(form: HTMLFormElement): HTMLElement {
  const found = form.querySelector<HTMLElement>("[data-cfbe-message]");
  const message = found ?? document.createElement("p");
  if (!found) form.append(message);
  // An <output> is a status by itself; any other must be made one for its text to be read out.
  if (!message.matches("output,[role],[aria-live]")) message.role = "status";
  message.id ||= `cfbe-message-${++count}`;
  return message;
}

/** @param form the page's form */
export function createReport(form: HTMLFormElement): Report {
  const message = messageOf(form);
  const mark = (fields: Answer["fields"] = {}) => {
    let first: HTMLInputElement | undefined;
    for (const name of FIELDS) {
      for (const input of inputsOf(form, name)) {
        const wrong = !!fields[name];
        input.ariaInvalid = wrong ? "true" : null;
        const others = (input.getAttribute("aria-describedby") ?? "").split(" ").filter((id) =>
          id !== message.id
        );
        if (wrong) others.push(message.id), first ??= input;
        const ids = others.join(" ").trim();
        if (ids) input.setAttribute("aria-describedby", ids);
        else input.removeAttribute("aria-describedby");
      }
    }
    first?.focus();
  };

  return {
    busy(text) {
      form.ariaBusy = "true";
      message.textContent = text;
      mark();
    },
    answer({ fields = {}, message: text }) {
      form.ariaBusy = null;
      message.textContent = Object.values(fields).join(" ") || text;
      mark(fields);
    },
  };
}

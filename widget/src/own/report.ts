import type { Answer } from "../../../shared/contract.ts";
import { inputsOf } from "../signup/fields.ts";

/** Fields that a visitor sees, in the order in which the first wrong one is looked for. */
const FIELDS = ["email", "name", "interests", "consent"] as const;
let count = 0;

/** Tells the visitor how a signup goes, in the page's own markup. While it is `busy` there is no answer yet. */
export type Report = (busy: boolean, said: Pick<Answer, "message" | "fields">) => void;

/** The element that the page set aside for messages, or one at the end of the form. */
function messageOf(form: HTMLFormElement): HTMLElement {
  const message = form.querySelector<HTMLElement>("[data-cfbe-message]") ??
    form.appendChild(document.createElement("p"));
  // An <output> is a status by itself; any other must be made one for its text to be read out.
  if (!message.matches("output,[role],[aria-live]")) message.role = "status";
  message.id ||= `cfbe-message-${++count}`;
  return message;
}

/** @param form the page's form */
export function createReport(form: HTMLFormElement): Report {
  const message = messageOf(form);
  return (busy, { message: text, fields = {} }) => {
    form.ariaBusy = busy ? "true" : null;
    message.textContent = Object.values(fields).join(" ") || text;
    let first: HTMLInputElement | undefined;
    for (const name of FIELDS) {
      for (const input of inputsOf(form, name)) {
        const wrong = !!fields[name];
        input.ariaInvalid = wrong ? "true" : null;
        const ids = (input.getAttribute("aria-describedby") ?? "").split(" ")
          .filter((id) => id && id !== message.id);
        if (wrong) ids.push(message.id), first ??= input;
        if (ids.length) input.setAttribute("aria-describedby", ids.join(" "));
        else input.removeAttribute("aria-describedby");
      }
    }
    first?.focus();
  };
}

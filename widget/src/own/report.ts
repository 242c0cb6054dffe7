import type { Answer } from "../../../shared/contract.ts";
import type { Load } from "../host/context.ts";

let count = 0;

/** Tells the visitor how a signup goes, in the page's own markup. While it is `busy` there is no answer yet. */
export type Report = (busy: boolean, said: Pick<Answer, "message" | "fields">) => Promise<void>;

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
export function createReport(form: HTMLFormElement, load: Load): Report {
  const message = messageOf(form);
  let unmark: (() => void) | undefined;
  return async (busy, { message: text, fields }) => {
    form.ariaBusy = busy ? "true" : null;
    message.textContent = Object.values(fields ?? {}).join(" ") || text;
    unmark?.();
    unmark = fields && (await load("marks")).markFields(form, message, fields);
  };
}

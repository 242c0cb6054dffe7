import type { SubscribeResponse } from "../../../shared/contract.ts";
import type { Load } from "../host/context.ts";

/**
 * Shows the progress or the result of a signup in the page's own markup. The message is shown even if the code that marks
 * fields cannot be loaded.
 */
export type Report = (busy: boolean, result: Pick<SubscribeResponse, "message" | "fields">) => void;

/** Returns the element that the page provides for messages, or adds one to the end of the form. */
function messageElement(form: HTMLFormElement): HTMLElement {
  const message = form.querySelector<HTMLElement>("[data-cfbe-message]") ??
    form.appendChild(document.createElement("p"));
  // <output> has the status role. Other elements need it, so that screen readers announce the text.
  if (!message.matches("output,[role],[aria-live]")) message.role = "status";
  return message;
}

/** Returns the function that shows the results of a form's signups. */
export function createReport(form: HTMLFormElement, load: Load): Report {
  const message = messageElement(form);
  let unmark: (() => void) | undefined;
  let latest: SubscribeResponse["fields"];
  return (busy, { message: text, fields }) => {
    form.setAttribute("aria-busy", String(busy));
    message.textContent = Object.values(fields ?? {}).join(" ") || text;
    unmark?.();
    unmark = undefined;
    latest = fields;
    if (fields) {
      load("errors").then((part) => {
        // The visitor may have submitted again while the code was loading.
        if (fields === latest) unmark = part.start(form, message, fields);
      }).catch(console.warn);
    }
  };
}

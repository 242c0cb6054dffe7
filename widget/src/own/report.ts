import type { SubscribeResponse } from "../../../shared/contract.ts";
import type { Load } from "../host/context.ts";

/**
 * Shows the progress or the result of a signup in the page's own markup. The message is shown even if the code that marks
 * fields cannot be loaded.
 */
export type Report = (busy: boolean, result: Pick<SubscribeResponse, "message" | "fields">) => void;

/** Returns the element that the page provides for messages, or adds one to the end of the form. */
function messageElement(form: HTMLFormElement): HTMLElement {
  let message = form.querySelector<HTMLElement>("[data-cfbe-message]");
  if (!message) {
    message = form.appendChild(document.createElement("p"));
    message.dataset.cfbeMessage = "";
  }
  // <output> has the status role. Other elements need it, so that screen readers announce the text.
  if (!message.matches("output,[role],[aria-live]")) message.role = "status";
  return message;
}

/** Returns the function that shows the results of a form's signups, and one that removes the last of them. */
export function createReport(form: HTMLFormElement, load: Load): [report: Report, clear: () => void] {
  const message = messageElement(form);
  const initial = message.textContent;
  let latest: SubscribeResponse["fields"];
  const report: Report = (busy, { message: text, fields }) => {
    form.setAttribute("aria-busy", String(busy));
    message.textContent = Object.values(fields ?? {}).join(" ") || text;
    latest = fields;
    // A form may also have marks as a copy of another.
    if (fields || form.querySelector("[aria-invalid=true]")) {
      load("errors").then((part) => {
        // The visitor may have submitted again while the code was loading.
        if (fields === latest) part.start(form, message, fields ?? {});
      }).catch(console.warn);
    }
  };
  // A page may replace the form by its message.
  return [report, () => form.contains(message) && report(false, { message: initial })];
}

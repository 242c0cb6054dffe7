// Shows at the fields of a form what is wrong with them as soon as a save is refused, and no longer once they are right.

import { describe, fieldAt, isStillEmpty } from "./field_label.js";

/** @param problems what is wrong, by the path of the input. Nothing is said of a field that was not come to yet. */
export function showErrors(form, problems) {
  const wrong = new Map(
    Object.entries(problems).filter(([path]) => !isStillEmpty(form, path)).map(([path, text]) => [
      fieldAt(form, path),
      text,
    ]),
  );
  for (const field of form.elements) {
    const text = wrong.get(field);
    if (text === undefined) remove(field);
    else show(field, text);
  }
}

const errorOf = ({ id }) => document.getElementById(`${id}-error`);

function show(field, text) {
  const error = errorOf(field);
  if (error) error.textContent = text;
  // Something else may have said so.
  if (error || field.ariaInvalid === "true") return;
  const made = document.createElement("p");
  made.className = "error";
  made.id = `${field.id}-error`;
  made.textContent = text;
  field.closest(".field, fieldset").append(made);
  field.ariaInvalid = "true";
  describe(field, made, true);
}

/** Also removes it from what the page of a refused request says at its top. */
function remove(field) {
  const error = errorOf(field);
  if (!error) return;
  describe(field, error, false);
  error.remove();
  field.removeAttribute("aria-invalid");
  const line = document.querySelector(`[role=alert] a[href="#${CSS.escape(field.id)}"]`)?.closest("li");
  const summary = line?.closest("[role=alert]");
  line?.remove();
  if (summary && !summary.querySelector("li")) summary.remove();
}

// Says that a text is missing as soon as a choice needs one, and offers one to begin with. What is typed is never changed.

import { announce } from "./announcer.js";
import { describe } from "./field_label.js";

/** Shows what is missing in a part of the page. */
export function showMissing(root) {
  for (const text of root.querySelectorAll("[data-needed-with]")) show(text);
}

const choiceOf = ({ form, dataset: { neededWith: name } }) =>
  form.querySelector(`select:is([name="${name}"], [data-name="${name}"])`);

const isOff = (text) => choiceOf(text).value === text.dataset.neededUnless;

function show(text) {
  const offer = text.nextElementSibling;
  if (!offer || !choiceOf(text)) return;
  const isEmpty = text.value.trim() === "";
  const isMissing = isEmpty && !isOff(text);
  const state = `${isEmpty} ${isMissing}`;
  if (offer.dataset.state === state) return;
  offer.dataset.state = state;
  offer.hidden = !isEmpty;
  const verb = offer.querySelector("[data-turns-on]");
  verb.textContent = isMissing ? "Use" : verb.dataset.turnsOn;
  const error = offer.querySelector(".error");
  // The server may have said so.
  error.hidden = !isMissing || document.getElementById(`${text.id}-error`) !== null;
  if (isMissing) text.ariaInvalid = "true";
  else if (!document.getElementById(`${text.id}-error`)) text.removeAttribute("aria-invalid");
  describe(text, error, isMissing);
}

/** Puts the text that is offered into an empty one, selected for typing over, and makes the choice that shows it to visitors. */
function use(text) {
  const choice = choiceOf(text);
  const changed = [];
  if (isOff(text)) {
    choice.value = text.dataset.neededOn;
    changed.push(choice);
  }
  if (text.value.trim() === "") {
    text.value = text.nextElementSibling.querySelector("[data-use-text]").dataset.useText;
    changed.push(text);
  }
  for (const each of changed) each.dispatchEvent(new Event("input", { bubbles: true }));
  text.focus();
  text.select();
}

addEventListener("input", ({ target }) => {
  if (target.form) showMissing(target.form);
});

/** Does what a button or link that offers a text was pressed for. */
export function useOffered(pressed) {
  if (pressed.matches("[data-use-text]")) return use(pressed.parentElement.previousElementSibling);
  use(pressed.closest("form").querySelector("[data-needed-with]"));
  announce(`Added: ${pressed.textContent.trim()}`);
}

// What the user has chosen to see in the preview of a form.

import { keepForNext, takeKept } from "./kept_choices.js";

/** By control. Kept when saving replaces the page, and when another language is chosen. */
export const chosen = {
  width: "fit",
  scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  state: "empty",
  ...takeKept("preview"),
};

const controlOf = (name) => name.replace("preview-", "");

/** Keeps what the user has chosen in a control. @returns which one, such as `width` */
export function keepChoice({ name, value }) {
  const control = controlOf(name);
  chosen[control] = value;
  return control;
}

/** Shows in the controls of a new preview what the user chose in the one before. */
export function showChosen(root) {
  for (const control of root.querySelectorAll("[name^=preview-]")) {
    control.checked = control.value === chosen[controlOf(control.name)];
  }
}

addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-languages] a")) keepForNext("preview", chosen);
});

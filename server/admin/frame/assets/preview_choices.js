// What the user has chosen to see in the preview of a form.

/** By control. Kept when saving replaces the page; the language only on the same page. */
export const chosen = {
  width: "fit",
  scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  state: "empty",
  locale: undefined,
};
let localePage;

const controlOf = (name) => name.replace("preview-", "");

/** Keeps what the user has chosen in a control. @returns which one, such as `width` */
export function keepChoice({ name, value }) {
  const control = controlOf(name);
  chosen[control] = value;
  if (control === "locale") localePage = location.search;
  return control;
}

/** Returns the language that was chosen on this page, if any. */
export const chosenLocale = () => localePage === location.search ? chosen.locale : undefined;

/** Shows in the controls of a new preview what the user chose in the one before. */
export function showChosen(root) {
  for (const control of root.querySelectorAll("[name^=preview-]")) {
    if (control.type === "radio") control.checked = control.value === chosen[controlOf(control.name)];
    else control.value = chosenLocale() ?? control.value;
  }
  for (const note of root.querySelectorAll("[data-edited]")) showEdited(note.closest("[data-live-preview]"));
}

/** Says which language's texts are edited, if the preview shows another one, and leads to those that it shows. */
export function showEdited(preview) {
  const note = preview.querySelector("[data-edited]");
  if (!note) return;
  const { value, selectedOptions: [option] } = preview.querySelector("[name=preview-locale]");
  const link = note.querySelector("a");
  const url = new URL(location.href);
  url.searchParams.set("locale", value);
  url.hash = "";
  link.href = url.href;
  link.textContent = `Edit the texts in ${option.text}`;
  note.hidden = value === note.dataset.edited;
}

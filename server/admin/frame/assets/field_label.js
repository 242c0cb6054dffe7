// What a field of a form is called where something is said about it, which notes describe it, and what it has.

/** Fields that the user has changed or left. */
const visited = new WeakSet();
for (const type of ["input", "focusout"]) {
  addEventListener(type, ({ target }) => visited.add(target), { capture: true });
}

/** Returns whether the field at a path of the input is empty and was not come to yet, as in a row that was just added. */
export function isStillEmpty(form, path) {
  const field = fieldAt(form, path);
  return field?.value === "" && !visited.has(field);
}

/**
 * Returns the label of the field at a path of the input, above it or below it, after the titles of the rows it is in:
 * `group 1, Path, Value`. Undefined if the form has none.
 */
export function labelOf(form, path) {
  const field = fieldAt(form, path);
  if (!field) return undefined;
  const titles = [field.labels[0].textContent.trim()];
  for (let row = field.closest("[data-row]"); row; row = row.parentElement.closest("[data-row]")) {
    titles.unshift(row.ariaLabel);
  }
  return titles.join(", ");
}

/** Returns the first field of which only a part was entered, such as a day without a time. Its value is empty then. */
export const incompleteIn = (form) => [...form.elements].find(({ validity }) => validity?.badInput);

/** Returns what is missing in such a field. */
export function incompleteText({ type, labels: [label] }) {
  const needs = type === "datetime-local" ? "a date and a time" : "a whole entry";
  return `${label.textContent.trim()} needs ${needs}`;
}

/** What a field had before only a part of another value was entered. */
const whole = new WeakMap();

/** Returns the value of a field; while only a part of it is there, the one before. */
export function wholeValueOf(field) {
  if (field.validity.badInput) return whole.get(field) ?? field.defaultValue;
  whole.set(field, field.value);
  return field.value;
}

/** Makes a note describe a field to screen readers, or no longer. */
export function describe(field, note, isShown) {
  const others = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== note.id);
  field.setAttribute("aria-describedby", [...others, ...isShown ? [note.id] : []].join(" ").trim());
}

/** Returns the field at a path of the input, above it or below it; undefined if the form has none. */
export function fieldAt(form, path) {
  const fields = [...form.elements].filter(({ labels }) => labels?.length > 0);
  return fields.find(({ name, dataset }) => {
    // One that is inherited has no name.
    const own = (name || dataset.name || "").replace(/^[nbloa]:/, "");
    return own === path || path.startsWith(`${own}.`) || own.startsWith(`${path}.`);
  });
}

/** Returns whether a field has another value than its page came with, such as one typed before the scripts had loaded. */
export function isChangedInPage({ type, checked, defaultChecked, value, defaultValue, options }) {
  if (type === "checkbox" || type === "radio") return checked !== defaultChecked;
  if (!options) return type !== "hidden" && value !== defaultValue;
  const shown = [...options].find(({ defaultSelected }) => defaultSelected) ?? options[0];
  return value !== (shown?.value ?? "");
}

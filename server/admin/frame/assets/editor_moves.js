// Moves what a form asks for: with the mouse or a finger, or with Alt and the arrow keys.

import { announce } from "./announcer.js";
import { setOwn } from "./own_values.js";

const placesIn = (editor) => [...editor.querySelectorAll(".elements [data-place]")];
const rowsIn = (editor) => [...editor.querySelectorAll("[data-panel=order] [data-row]")];
const fieldIn = (row) => row.querySelector("input[type=hidden]");
const isOff = (item) => item.querySelector("[data-off]") !== null;
const titleOf = (item) => item.querySelector("a").textContent.trim();
const titlesIn = (rows) =>
  new Map(rows.map((row) => [fieldIn(row).value, row.querySelector("p").textContent]));

/** Returns what the panel of the fields has for each: a row, or its texts in one language. */
export const fieldRowsIn = (editor) => [
  ...editor.querySelectorAll(
    "[data-panel=fields] :is(.rows > [data-row]:not([data-row] *), [data-texts-of])",
  ),
];
/** Returns the input of a field's name. */
export const nameIn = (row) => row.querySelector('[name$=".name"], [data-name$=".name"]');

export function prepareMoves(editor) {
  if (rowsIn(editor).length === 0 || !editor.querySelector("[data-publish]")) return;
  const fields = fieldRowsIn(editor).map((row) => nameIn(row)?.value);
  // The list of elements has what is saved.
  for (const item of placesIn(editor)) {
    const { field } = item.querySelector("a").dataset;
    if (field && !fields.includes(field)) item.remove();
  }
  showOrder(editor);
  for (const grip of editor.querySelectorAll("[data-grip]")) grip.hidden = false;
}

/** Moves what is selected, or focused, past the next element that the form shows. @returns whether it can be moved */
export function moveBy(editor, selected, by) {
  const items = placesIn(editor);
  const focused = document.activeElement?.closest("[data-place]");
  const item = focused ?? items.find((each) => {
    const { select, field } = each.querySelector("a").dataset;
    return select === selected?.panel && field === selected?.field;
  });
  if (!item || editor.dataset.step !== "design") return false;
  const index = items.indexOf(item);
  const others = by < 0 ? items.slice(0, index).reverse() : items.slice(index + 1);
  const other = others.find((each) => !isOff(each)) ?? (isOff(item) ? others[0] : undefined);
  if (other) {
    if (by < 0) other.before(item);
    else other.after(item);
    if (focused) item.querySelector("a").focus();
    apply(editor);
  }
  announceMove(editor, item);
  return true;
}

function announceMove(editor, item) {
  const items = placesIn(editor);
  announce(`Moved: ${titleOf(item)}, ${items.indexOf(item) + 1} of ${items.length}`);
}

/**
 * Puts the order of the elements into the form.
 *
 * @param last name of what comes last, also after what the list of elements does not have yet
 */
function apply(editor, last) {
  const [first] = rowsIn(editor);
  if (!first) return;
  const group = first.closest("[data-inherited]");
  if (group) setOwn(group, true);
  addRows(editor);
  const rows = rowsIn(editor);
  const titles = titlesIn(rows);
  const wanted = placesIn(editor).map(({ dataset }) => dataset.place).filter((name) => titles.has(name));
  const names = [...new Set([...wanted, ...titles.keys()])];
  if (last) names.push(...names.splice(names.indexOf(last), 1));
  rows.forEach((row, index) => fieldIn(row).value = names[index]);
  nameRows(rows, titles);
  fieldIn(first).dispatchEvent(new Event("input", { bubbles: true }));
  // Moving a row of the list does not move its field any more.
  for (const button of editor.querySelectorAll("[data-panel=fields] :is([name=_up], [name=_down])")) {
    button.hidden = true;
  }
}

function nameRows(rows, titles) {
  for (const row of rows) {
    const title = titles.get(fieldIn(row).value);
    row.querySelector("p").textContent = row.ariaLabel = title;
  }
}

/** Changes the order of the form to another one of the same fields. @param change puts the new names into its rows */
export function changeOrder(editor, change) {
  const rows = rowsIn(editor);
  const titles = titlesIn(rows);
  change();
  nameRows(rows, titles);
  showOrder(editor);
}

/** Adds rows to the order for fields that had no name yet when the page was drawn. */
function addRows(editor) {
  const rows = rowsIn(editor);
  const known = new Set(rows.map((row) => fieldIn(row).value));
  for (const [name, title] of placedIn(editor)) {
    if (known.has(name)) continue;
    const row = rows.at(-1).cloneNode(true);
    const field = fieldIn(row);
    const numbered = (path) => path.replace(/\d+$/, rows.length);
    // An inherited one has its path only as data.
    field.name = numbered(field.name);
    if (field.dataset.name) field.dataset.name = numbered(field.dataset.name);
    field.value = name;
    row.querySelector("p").textContent = title;
    rows.at(-1).after(row);
    rows.push(row);
  }
}

/** Returns the titles of all that has a place, by name: the list of elements may not have a new field yet. */
function placedIn(editor) {
  const fields = fieldRowsIn(editor).filter((row) =>
    nameIn(row)?.value && !row.querySelector('[name$=".kind"][value=hidden]')
  );
  return new Map([
    ...fields.map((row) => [nameIn(row).value, row.querySelector("summary").textContent]),
    ...placesIn(editor).map((item) => [item.dataset.place, titleOf(item)]),
  ]);
}

/** Shows in the list of elements what the order of the form is, which may not be saved. */
function showOrder(editor) {
  const places = placesIn(editor);
  const itemOf = (row) => places.find(({ dataset }) => dataset.place === fieldIn(row).value);
  const items = rowsIn(editor).map(itemOf).filter(Boolean);
  const shown = places.filter((item) => items.includes(item));
  // What is moved loses the focus.
  if (items.every((item, index) => item === shown[index])) return;
  const focused = document.activeElement;
  places[0].previousElementSibling.after(...items);
  if (editor.contains(focused)) focused.focus();
}

// The first interest makes a new field, which like any other is the last.
addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-panel=interests] [name=_add]");
  if (!button || button.closest(".rows").querySelector("[data-row]")) return;
  const editor = button.closest("[data-editor]");
  const items = placesIn(editor);
  const item = items.find(({ dataset }) => dataset.place === "interests");
  if (!item || rowsIn(editor).length === 0) return;
  addRows(editor);
  if (fieldIn(rowsIn(editor).at(-1)).value === "interests") return;
  items.at(-1).after(item);
  apply(editor, "interests");
}, { capture: true });

addEventListener("pointerdown", (event) => {
  const grip = event.target.closest?.("[data-grip]");
  const item = grip?.closest("[data-place]");
  if (!item || event.button !== 0) return;
  event.preventDefault();
  const editor = grip.closest("[data-editor]");
  const start = placesIn(editor).indexOf(item);
  item.dataset.moving = "";
  // Not captured by the grip: its row leaves the page for a moment whenever it changes places.
  const ended = new AbortController();
  const { signal } = ended;
  addEventListener("pointermove", ({ clientX, clientY }) => {
    const over = placesIn(editor).find((each) => {
      const { top, bottom, left, right } = each.getBoundingClientRect();
      return each !== item && clientY >= top && clientY <= bottom && clientX >= left && clientX <= right;
    });
    if (!over) return;
    const items = placesIn(editor);
    if (items.indexOf(over) < items.indexOf(item)) over.before(item);
    else over.after(item);
  }, { signal });
  const end = () => {
    ended.abort();
    delete item.dataset.moving;
    if (placesIn(editor).indexOf(item) === start) return;
    apply(editor);
    announceMove(editor, item);
  };
  for (const type of ["pointerup", "pointercancel"]) addEventListener(type, end, { signal });
});

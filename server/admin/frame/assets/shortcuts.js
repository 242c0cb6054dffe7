// Keyboard shortcuts: "/" focuses the search field, "g" and a letter open a page, and "?" lists them all.

const KEY = "cfbe-shortcuts";
/** How long the letter may come after "g". */
const SEQUENCE_MS = 1500;
const SEARCH_FIELD = "main [role=search] :is(input:not([type=hidden]), select)";

let gPressedAt = -Infinity;
let on = read();

const dialog = () => document.getElementById("shortcuts");

function read() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    // Without storage, they are on until the page is left.
    return true;
  }
}

function turn(to) {
  on = to;
  describeShortcuts();
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "off");
  } catch {
    // Without storage, the choice holds until the page is left.
  }
}

/** Names the shortcuts at what they act on, while they are on. ARIA has no attribute for two keys in a row. */
export function describeShortcuts() {
  for (const link of document.querySelectorAll("nav [data-shortcut]")) {
    set(link, "title", `Shortcut: g then ${link.dataset.shortcut}`);
  }
  set(document.querySelector(SEARCH_FIELD), "aria-keyshortcuts", "/");
  set(document.querySelector("[data-shortcuts]"), "aria-keyshortcuts", "?");
}

function set(element, name, value) {
  if (on) element?.setAttribute(name, value);
  else element?.removeAttribute(name);
}

function openList() {
  const list = dialog();
  if (!list) return false;
  list.querySelector("[role=switch]").checked = on;
  list.showModal();
  return true;
}

/** Focuses the page's search field, or opens the page that searches for subscribers. */
function focusSearch() {
  const field = document.querySelector(SEARCH_FIELD);
  const page = dialog()?.dataset.search;
  if (field) field.focus();
  else if (page) location.assign(page);
  return Boolean(field || page);
}

function openPage(letter) {
  const link = document.querySelector(`nav [data-shortcut="${CSS.escape(letter)}"]`);
  link?.click();
  return Boolean(link);
}

/** Runs the shortcut of a key. @returns whether there is one */
function run({ key, timeStamp }) {
  const isSecond = timeStamp - gPressedAt < SEQUENCE_MS;
  gPressedAt = -Infinity;
  if (isSecond) return openPage(key);
  if (key === "g") gPressedAt = timeStamp;
  if (key === "/") return focusSearch();
  return key === "?" && openList();
}

function isMeantForPage(event) {
  const { target, altKey, ctrlKey, metaKey, isComposing, repeat, defaultPrevented } = event;
  return !(altKey || ctrlKey || metaKey || isComposing || repeat || defaultPrevented) &&
    !target.closest?.("input, textarea, select, [contenteditable]") &&
    !document.querySelector("dialog[open], :popover-open");
}

addEventListener("keydown", (event) => {
  if (on && isMeantForPage(event) && run(event)) event.preventDefault();
});

addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-shortcuts]")) openList();
});

addEventListener("change", ({ target }) => {
  if (target.id === "shortcuts-on") turn(target.checked);
});

// In the editor of a form, Escape leads from the settings of an element back to it in the list.
addEventListener("keydown", ({ key, target, defaultPrevented }) => {
  const panel = key === "Escape" && !defaultPrevented && target.closest?.("[data-step=design] .panel");
  if (!panel || document.querySelector(":popover-open, dialog[open]")) return;
  document.querySelector(".elements [aria-current], .elements [data-add]")?.focus();
});

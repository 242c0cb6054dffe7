// The editor of a form: which step and which panel show, and what is selected in the form.

import { fieldRowsIn, moveBy, nameIn, prepareMoves } from "./editor_moves.js";
import { dropPending, finishHistory, prepareHistory, redo, settingsIn, undo } from "./editor_history.js";
import { flush, prepareSaves } from "./editor_saves.js";
import { setOwn } from "./own_values.js";
import {
  chosen,
  followStep,
  keepForNext,
  showChosen,
  showInstead,
  stateFor,
  takeKept,
} from "./preview_choices.js";
import { draw } from "./preview_frames.js";

/** What was open on each page, by its path and query, until the document is left. */
const places = new Map();
const page = () => location.pathname + location.search;

export const editorOf = () => document.querySelector("[data-editor]");
/** Returns the form whose settings the editor changes. `editor.dataset.editor` is its ID. */
export const formOf = (editor) => document.getElementById(editor.dataset.editor);

const panelsOf = (editor) => [...editor.querySelectorAll("[data-of-step]")];
const framesOf = (editor) => [...editor.querySelectorAll("iframe.preview")];

/** Tells the frame that the user sees, and the one that takes its place. */
function tell(editor, editing) {
  for (const { contentWindow } of framesOf(editor)) contentWindow?.postMessage({ editing }, "*");
}

/** Brings the editor of a page into the state in which it was, or that its URL or an error asks for. */
export function prepareEditor() {
  const editor = editorOf();
  if (!editor || editor.dataset.ready !== undefined) return;
  editor.dataset.ready = "";
  const wrong = editor.querySelector(".panel [aria-invalid=true]");
  const place = placeOf(wrong ?? hashTarget(location.hash)) ?? places.get(page());
  open(editor, place ?? keptPlace(editor) ?? firstPlace(editor));
  // On narrow screens, it is beside the button that was pressed.
  const says = document.querySelector(".says:not(:has(> :not(.good)))");
  if (says) editor.querySelector(".form-top")?.append(says);
  prepareMoves(editor);
  prepareHistory(editor);
  prepareSaves(editor);
  finishHistory(editor);
}

/** Returns the place that the server opens the page with. Nobody has chosen it, so that nothing scrolls to it. */
const firstPlace = (editor) => ({
  ...placeOf(editor.querySelector("[data-shown]")) ?? { step: "design" },
  stays: true,
});

/** Returns the panel that was open in the language before, if this one has it. */
function keptPlace(editor) {
  const kept = takeKept("place");
  const panels = panelsOf(editor).filter(({ dataset }) => dataset.ofStep === "design");
  return kept && panels.some(({ dataset }) => dataset.panel === kept.panel)
    ? { ...kept, step: "design" }
    : undefined;
}

/** Goes to another language when everything is saved, with the same panel open. */
addEventListener("click", async (event) => {
  const link = editorOf() && event.target.closest?.("[data-languages] a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  keepForNext("place", places.get(page()));
  places.delete(link.pathname + link.search);
  const url = new URL(link.href);
  await flush();
  const { follow } = await import("./visit.js");
  if (!await follow(url)) dropPending();
});

/** Shows again what is open, after parts of the page were replaced. */
export function showPlace(editor) {
  open(editor, places.get(page()));
  prepareMoves(editor);
}

const hashTarget = (hash) =>
  hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;

/** Returns the step and panel that an element is in. */
function placeOf(element) {
  const panel = element?.closest("[data-of-step]");
  return panel ? { step: panel.dataset.ofStep, panel: panel.dataset.panel } : undefined;
}

/**
 * Shows a step; in the first one, a panel.
 *
 * @param place.field name of the field that the panel shows alone
 */
function open(editor, place) {
  const { step } = place;
  const { panel, field, stays } = step === "design" && place.panel
    ? place
    : places.get(page()) ?? firstPlace(editor);
  places.set(page(), { step, panel, field, stays });
  editor.dataset.step = step;
  for (const each of panelsOf(editor)) {
    const { ofStep, panel: name } = each.dataset;
    const isShown = step !== "design" || name === undefined || name === panel;
    each.toggleAttribute("data-shown", ofStep === step && isShown);
  }
  for (const link of editor.querySelectorAll("[data-go]")) mark(link, link.dataset.go === step, "step");
  const links = [...editor.querySelectorAll("[data-select]:not([data-add])")];
  for (const link of links) {
    mark(link, link.dataset.select === panel && link.dataset.field === field, "true");
  }
  showAlone(editor, field);
  showState(editor, step === "design" ? stateFor(panel) : undefined);
  tellFrame(editor);
}

function showState(editor, state) {
  if (!showInstead(state)) return;
  const preview = editor.querySelector("[data-live-preview]");
  if (!preview) return;
  showChosen(preview);
  draw(preview, undefined, chosen, { again: true });
}

function mark(link, isCurrent, kind) {
  if (isCurrent) link.setAttribute("aria-current", kind);
  else link.removeAttribute("aria-current");
}

/** Shows only one row of the list of fields; without a name, all of them. */
function showAlone(editor, field) {
  const rows = fieldRowsIn(editor);
  const alone = field && rows.find((row) => nameIn(row)?.value === field);
  for (const row of rows) row.hidden = Boolean(alone) && row !== alone;
  if (alone?.dataset.row !== undefined) alone.querySelector("details").open = true;
}

/** Moves the focus to the buttons that add a field, below the fields that the form has. */
function focusAdding(editor) {
  const list = editor.querySelector("[data-panel=fields] .rows");
  for (const row of list.querySelectorAll(":scope > [data-row] details[open]")) {
    row.open = row.querySelector("[aria-invalid=true]") !== null;
  }
  list.querySelector(":scope > .add-buttons button")?.focus();
}

/** Moves the focus to the first field of the panel that is open. */
function focusPanel(editor) {
  const panel = editor.querySelector(".panel[data-panel][data-shown]");
  const fields =
    ":is(input:not([type=hidden], [type=radio]:not(:checked)), select, textarea, button):enabled";
  const first = [...panel?.querySelectorAll(fields) ?? []].find((field) => field.checkVisibility());
  first?.focus();
  if (first?.matches("input[type=text], input:not([type])")) first.select();
}

addEventListener("click", (event) => {
  const editor = editorOf();
  const link = event.target.closest?.("a[href^='#']");
  if (!editor || !link || event.defaultPrevented) return;
  const { select, go, field, add } = link.dataset;
  if (go) open(editor, { step: go });
  else if (select) {
    open(editor, { step: "design", panel: select, field });
    if (add === undefined) focusPanel(editor);
    else focusAdding(editor);
  } else {
    const target = hashTarget(link.getAttribute("href"));
    const place = placeOf(target);
    if (!place) return;
    open(editor, place);
    target.scrollIntoView({ block: "nearest" });
    if (target.matches("input, select, textarea")) target.focus();
    else return;
  }
  event.preventDefault();
  history.replaceState(history.state, "", page());
  if (go) editor.querySelector(".panels [data-shown] h2")?.scrollIntoView({ block: "nearest" });
});

function openAt(element) {
  const place = editorOf() && placeOf(element);
  if (place) open(editorOf(), place);
}

// What a button changes elsewhere, and a wrong field: the browser only says what is wrong with one that can be seen.
addEventListener("submit", ({ submitter }) => openAt(document.getElementById(submitter?.dataset.changes)));
addEventListener("hashchange", () => openAt(hashTarget(location.hash)));
addEventListener("invalid", ({ target }) => target.checkVisibility() || openAt(target), { capture: true });

addEventListener("keydown", (event) => {
  const editor = editorOf();
  if (!editor) return;
  const { key, altKey, ctrlKey, metaKey, shiftKey, target } = event;
  // In a choice, Alt and an arrow key open it.
  if (altKey && target.matches("select")) return;
  // Texts that are no settings, such as those of a check, keep the keys of the browser.
  if (target.matches("input:not([type=radio]), textarea") && !settingsIn(formOf(editor)).includes(target)) {
    return;
  }
  if (run({ key, altKey, isCommand: ctrlKey || metaKey, shiftKey })) event.preventDefault();
});

/** Does what a key asks for. @returns false if it asks for nothing here */
function run({ key, altKey, isCommand, shiftKey }) {
  const editor = editorOf();
  if (!editor) return false;
  const letter = key.toLowerCase();
  if (isCommand && !altKey && letter === "z") return shiftKey ? redo(editor) : undo(editor);
  if (isCommand && !altKey && letter === "y") return redo(editor);
  if (altKey && !isCommand && (key === "ArrowUp" || key === "ArrowDown")) {
    return moveBy(editor, places.get(page()), key === "ArrowUp" ? -1 : 1);
  }
  return false;
}

/** Tells the preview what is selected, and whether a click in it selects. */
function tellFrame(editor) {
  const { step, panel, field = focusedField(), stays } = places.get(page());
  const isOn = step === "design" && editor.querySelector(".elements") !== null;
  const typable = isOn ? typablePanels(editor) : [];
  const isAtAlert = document.activeElement?.matches("[role=alert]");
  tell(editor, { isOn, panel, field, typable, stays: stays || isAtAlert });
}

/** Returns the name of the field in whose row, or on whose button, the focus is, as after it was added. */
const focusedField = () => {
  const row = document.activeElement?.closest("[data-panel=fields] .rows > [data-row]");
  if (row) return nameIn(row)?.value;
  // On a phone, the form would scroll the page to itself, away from the button.
  return matchMedia("(width >= 68.75rem)").matches ? document.activeElement?.dataset.adds : undefined;
};

/** Scrolls the form to the element that a field of the panel is about. */
export function showInForm(editor, input) {
  const place = placeOf(input);
  if (place?.step !== "design") return;
  const field = nameIn(fieldRowsIn(editor).find((each) => each.contains(input)) ?? input)?.value;
  tell(editor, { shown: { panel: place.panel, field } });
}

addEventListener("focusin", ({ target }) => {
  const editor = editorOf();
  if (editor?.dataset.step === "design" && target.matches?.(".panel :is(input, textarea)")) {
    showState(editor, stateFor(places.get(page()).panel));
  }
  if (editor && target.closest?.("[data-panel=fields] .rows > [data-row]")) tellFrame(editor);
});

/** Returns the panels whose text can be typed into the form itself: in a variant, only what can differ. */
function typablePanels(editor) {
  const form = formOf(editor);
  const texts = Object.keys(TYPED).filter((panel) => isEditable(typedInto(form, panel)));
  const choices = isEditable(interestIn(form, 0)) ? ["interests.choices"] : [];
  const fields = fieldRowsIn(editor).length > 0 ? ["fields", "fields.choices"] : [];
  return [...texts, ...choices, ...fields];
}

const isEditable = (input) => input?.matches(":enabled");

addEventListener("message", ({ source, data }) => {
  const editor = editorOf();
  if (!editor || !framesOf(editor).some(({ contentWindow }) => contentWindow === source)) return;
  switch (data?.preview) {
    case "ready":
    case "drawn":
      return tellFrame(editor);
    case "selected":
      open(editor, { step: "design", panel: data.panel, field: data.field });
      if (data.byKey) focusChoice(editor, data) || focusPanel(editor);
      return;
    case "step":
      return followStep(editor, data.isSecond);
    case "typing":
      return showTyping(editor, data.isTyping);
    case "typed":
      return type(editor, data.text, data);
    case "key":
      run(data);
  }
});

/** While somebody types in the preview, it must not be drawn again. */
function showTyping(editor, isTyping) {
  const preview = editor.querySelector("[data-live-preview]");
  typedChoices = undefined;
  preview.toggleAttribute("data-typed-in", isTyping);
  if (!isTyping) changed(formOf(editor));
}

/** Tells everything that watches a form that a field of it has changed. */
export function changed(form) {
  form.elements.draftVersion.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Names of the texts that can be typed into the form itself, by the panel of their element. */
const TYPED = {
  heading: "heading",
  text: "text",
  button: "button",
  email: "texts.emailLabel",
  name: "texts.nameLabel",
  interests: "texts.interestsLabel",
  consent: "consentText",
};

/** What the name of such a field has before it: in one language, an empty one is inherited. */
const BEFORE = ["fields.", "o:", "o:fields."];

const typedInto = (form, panel) => ownNamed(form, TYPED[panel]);
const interestIn = (form, index) => ownNamed(form, `interests.${index}.label`);

const ownNamed = (form, name) => BEFORE.map((before) => named(form, before + name)).find((field) => field);

/** The choices of a field before one of them was typed over, by line. */
let typedChoices;

/** Puts a text that was typed into the form into its field. */
function type(editor, text, { panel, field, choice }) {
  const input = inputFor(editor, panel, field, choice);
  if (!input) return;
  const value = choice === undefined ? text : withChoice(input, choice, text);
  if (input.value === value) return;
  input.value = value;
  const group = input.closest("[data-inherited]");
  if (group) setOwn(group, true);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Returns what a field says with the text of a choice, which may be one of its lines. One that is emptied is as before: only
 * the panel removes choices. In one language, it is inherited.
 */
function withChoice(input, choice, text) {
  if (input.placeholder) return text;
  typedChoices ??= input.value.split("\n");
  if (input.localName !== "textarea") return text || typedChoices[0];
  const line = lineOf(typedChoices, choice);
  return typedChoices.with(line, text || typedChoices[line]).join("\n");
}

/** Returns which line has a choice: empty ones have none. */
function lineOf(lines, choice) {
  const filled = [...lines.keys()].filter((line) => lines[line].trim());
  return filled[choice] ?? lines.length - 1;
}

/** @param choice number of one of its choices; absent for its label */
function inputFor(editor, panel, field, choice) {
  const form = formOf(editor);
  if (panel !== "fields") return choice === undefined ? typedInto(form, panel) : interestIn(form, choice);
  const row = fieldRowsIn(editor).find((each) => nameIn(each)?.value === field);
  if (!row) return undefined;
  const inputs = [...row.querySelectorAll("input, textarea")];
  const endsWith = (end) => inputs.find((each) => (each.name || each.dataset.name || "").endsWith(end));
  if (choice === undefined) return endsWith(".label");
  return endsWith(".options") ?? endsWith(`.options.${choice}.label`);
}

/** Moves the focus to the field of a choice in the panel. @returns false if there is none */
function focusChoice(editor, { panel, field, choice }) {
  const input = choice === undefined ? undefined : inputFor(editor, panel, field, choice);
  if (!input?.checkVisibility()) return false;
  input.focus();
  const lines = input.value.split("\n");
  const line = lineOf(lines, choice);
  const start = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
  input.setSelectionRange(start, start + lines[line].length);
  return true;
}

const named = (form, name) =>
  form.querySelector(`[name="${CSS.escape(name)}"], [data-name="${CSS.escape(name)}"]`);

/** Shows a text in the form while it is typed, before the server has said what else it changes. */
addEventListener("input", ({ target }) => {
  const editor = editorOf();
  if (!editor || target.form !== formOf(editor)) return;
  const panel = Object.keys(TYPED).find((each) => typedInto(target.form, each) === target);
  if (panel) tell(editor, { text: target.value || target.placeholder, of: panel });
});

addEventListener("click", ({ target }) => {
  const choice = target.closest?.("[data-choose-languages]");
  for (const box of choice?.form.querySelectorAll("[name^='b:languages.'][type=checkbox]") ?? []) {
    box.checked = choice.dataset.chooseLanguages === "all";
  }
  const button = editorOf() && target.closest?.("[data-undo], [data-redo]");
  if (button) (button.matches("[data-undo]") ? undo : redo)(editorOf());
});

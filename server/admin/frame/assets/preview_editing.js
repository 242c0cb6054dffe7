// In the editor, the form in the preview is what people edit: a click or a key selects an element, and its text can be
// typed over. What is typed goes to the admin's page as text.

import { goToSecondStep } from "./preview_states.js";

const adminOrigin = location.origin;
/** Elements whose text the site owner writes, by the panel that has it. */
const TEXTS = {
  heading: "[part~=heading]",
  text: "form [part~=text]",
  button: "[part~=button] > span:not(.off)",
};
const style = new CSSStyleSheet();
const ACCENT = "#2b46d6";
style.replaceSync([
  "[data-element] { cursor: pointer; scroll-margin: 12px }",
  `[data-element]:hover { outline: 1px dashed ${ACCENT}; outline-offset: 2px }`,
  // In two colors, so that it shows on light and on dark forms.
  `[data-element][data-selected] { outline: 2px solid ${ACCENT}; outline-offset: 2px; box-shadow: 0 0 0 2px #fff }`,
  // An image fills its box, which clips what is around it.
  "[data-element=image][data-selected] { outline-offset: -2px; padding: 4px; background: #fff; box-shadow: none }",
  "[contenteditable] { cursor: text }",
].join(" "));

/** What the admin's page says is selected. Off in its other steps, in which the form can be tried. */
let editing = { isOn: false };
/** The element that is typed into. */
let typedIn;

/** Returns whether somebody types into the form now. Once that ends, the admin's page has the form drawn again. */
export const isTypedInto = () => typedIn !== undefined;

const say = (message) => parent.postMessage(message, adminOrigin);

/** Returns the form that is shown, in the page or in what opens over it. */
function shownForm() {
  const inPage = document.querySelector("cfbe-form:not([hidden])");
  if (inPage) return inPage;
  for (const popup of document.querySelectorAll("cfbe-popup")) {
    const inside = popup.shadowRoot?.querySelector("cfbe-form") ?? popup.querySelector("cfbe-form");
    if (inside) return inside;
  }
}

/** Returns what the elements of a form are, with the panel that each belongs to. */
function elementsOf(root) {
  const found = [];
  const add = (element, panel, field) => element && found.push({ element, panel, field });
  add(root.querySelector(TEXTS.heading), "heading");
  add(root.querySelector(TEXTS.text), "text");
  add(root.querySelector("[part~=countdown]"), "countdown");
  add(root.querySelector("[part~=image]"), "image");
  for (const part of root.querySelectorAll("form [part~=field], form fieldset")) {
    const name = part.querySelector("input, select, textarea")?.name ?? "";
    const [, field] = /^fields\[(.+?)\]/.exec(name) ?? [];
    if (field) add(part, "fields", field);
    else if (["email", "name", "interests", "consent"].includes(name)) add(part, name);
  }
  add(root.querySelector("[part~=button]"), "button");
  add(root.querySelector(".done > div"), "after-signup");
  return found;
}

/** Marks the elements of the form, so that they can be selected. */
export function markElements() {
  const root = shownForm()?.shadowRoot;
  if (!root) return;
  if (!root.adoptedStyleSheets.includes(style)) root.adoptedStyleSheets.push(style);
  for (const element of root.querySelectorAll("[data-element]")) {
    delete element.dataset.element;
    delete element.dataset.selected;
  }
  if (!editing.isOn) return;
  for (const { element, panel, field } of elementsOf(root)) {
    element.dataset.element = panel;
    if (field) element.dataset.field = field;
    if (element.tabIndex < 0) element.tabIndex = 0;
    const isSelected = panel === editing.panel && (field ?? "") === (editing.field ?? "");
    element.toggleAttribute("data-selected", isSelected);
    if (isSelected) {
      if (keptFor !== selected()) showStepOf(element);
      bringIntoView(element);
    }
  }
}

/** Returns a function that gives the focus to the same place of the form that is drawn instead of this one. */
export function keepFocus(form) {
  const focused = form?.shadowRoot?.activeElement;
  const element = focused?.closest("[data-element]");
  if (!element) return () => {};
  const index = partsOf(element).indexOf(focused);
  return () => {
    const next = elementLike(element.dataset.element, element.dataset.field);
    (partsOf(next)[index] ?? next)?.focus({ preventScroll: true });
  };
}

export const selectedElement = () => elementLike(editing.panel, editing.field);

const partsOf = (element) => [...element?.querySelectorAll("*") ?? []];

/** Returns the element of the form that is shown which belongs to a panel, or to a field of it. */
function elementLike(panel, field = "") {
  const root = shownForm()?.shadowRoot;
  const found = root && elementsOf(root).find((each) => each.panel === panel && (each.field ?? "") === field);
  return found?.element;
}

const selected = () => `${editing.panel} ${editing.field ?? ""}`;

/** The element that was selected when the user chose which step shows. */
let keptFor;

/** @returns whether the user has just chosen which step shows while an element is selected, instead of the one that it is in */
export function keepStepFor(element) {
  const isNew = element !== undefined && element !== keptFor;
  keptFor = element;
  return isNew;
}

/** What was brought into view last: afterwards, people scroll as they like. */
let inView;

function bringIntoView(element) {
  if (inView === selected()) return;
  inView = selected();
  // On a phone, it would scroll the page, too, away from what was refused.
  if (!editing.stays) element.scrollIntoView({ block: "nearest" });
}

/** Goes to the step of a form that has an element, and says which step that is. */
function showStepOf(element) {
  const form = element.closest("form");
  if (!form?.checkVisibility() || element.checkVisibility()) return;
  const isSecond = !form.matches(".step-2");
  if (isSecond) goToSecondStep(form);
  else form.querySelector("[part~=back]").click();
  say({ preview: "step", isSecond });
}

const elementIn = (event) => event.composedPath().find((each) => each.dataset?.element);

/** Returns the labels of the choices that an element has, in their order. */
const choicesOf = (element) => [...element.querySelectorAll("label:has(> input):not([part~=consent])")];

/** Returns the number of the choice that was clicked, or whose input has the focus; undefined without one. */
const choiceAt = (element, event) => {
  const path = event.composedPath();
  const choice = choicesOf(element).findIndex((label) => path.includes(label));
  return choice < 0 ? undefined : choice;
};

/**
 * Returns the element with the text that is typed over: the text itself, the label of a field, or one of its choices.
 *
 * @param choice number of the choice; undefined for the text of the whole element
 */
function textIn(element, choice) {
  const { element: panel } = element.dataset;
  if (!editing.typable?.includes(choice === undefined ? panel : `${panel}.choices`)) return undefined;
  if (choice !== undefined) return choicesOf(element)[choice];
  if (panel === "button") return element.querySelector("span:not(.off)");
  if (panel === "heading" || panel === "text") return element;
  if (panel === "countdown" || panel === "image" || panel === "after-signup") return undefined;
  return element.querySelector("[part~=label], [part~=consent] > span");
}

/** Returns the own words of a text as an element, without what the form adds to them, such as "(optional)". */
function ownWordsOf(text) {
  if (text.childElementCount === 0) return text;
  const words = [...text.childNodes].filter((node) => !node.matches?.("small, input"));
  const source = words.map(sourceOf).join("");
  if (!source.trim()) return undefined;
  const element = document.createElement("span");
  words[0].before(element);
  element.append(source);
  for (const word of words) word.remove();
  element.drawn = { source, words };
  return element;
}

/** Returns what the site owner writes for a part of a text: a link of a consent is `[terms](https://…)`. */
const sourceOf = (node) =>
  node.localName === "a" ? `[${node.textContent}](${node.getAttribute("href")})` : node.textContent;

/** Shows links again where nothing was changed. Otherwise the admin's page has the form drawn again. */
function showDrawn(text) {
  if (text.drawn?.source === text.textContent) text.replaceWith(...text.drawn.words);
}

/** @param choice number of the choice whose field the focus goes to in the panel */
function select(element, byKey, choice) {
  const { element: panel, field } = element.dataset;
  editing = { ...editing, panel, field };
  markElements();
  say({ preview: "selected", panel, field, byKey, choice });
}

/** Returns the number of the choice that a list shows, or of its first; undefined if the event is not about a list. */
function listedChoice(event) {
  const list = event.composedPath().find((each) => each.localName === "select");
  return list && Math.max(0, list.selectedIndex - 1);
}

/** Lets people type over the text of an element. Only its own words are editable, not what the form adds to them. */
function startTyping(element, choice) {
  const whole = textIn(element, choice);
  if (!whole || whole.contains(typedIn)) return;
  const text = ownWordsOf(whole);
  if (!text) return;
  stopTyping();
  typedIn = text;
  text.contentEditable = "plaintext-only";
  if (text.contentEditable !== "plaintext-only") text.contentEditable = "true";
  say({ preview: "typing", isTyping: true });
  const { element: panel, field } = element.dataset;
  text.stops = new AbortController();
  text.addEventListener("input", (event) => {
    // The widget takes what is entered into a form for a visitor's.
    event.stopPropagation();
    say({ preview: "typed", panel, field, choice, text: oneLine(text.textContent) });
  }, { signal: text.stops.signal });
  // A change of focus within the form is not heard outside of it.
  text.addEventListener("blur", stopTyping, { signal: text.stops.signal });
  text.focus();
}

const oneLine = (text) => text.trim().replace(/\s*\n\s*/g, " ");

function stopTyping() {
  if (!typedIn) return;
  const text = typedIn;
  typedIn = undefined;
  text.stops.abort();
  text.removeAttribute("contenteditable");
  showDrawn(text);
  say({ preview: "typing", isTyping: false });
}

addEventListener("message", ({ origin, source, data }) => {
  if (origin !== adminOrigin || source !== parent || !data?.editing) return;
  const { text, of, shown } = data.editing;
  if (of !== undefined) return showText(of, text);
  if (shown) return showElement(shown);
  editing = data.editing;
  if (keptFor !== selected()) keptFor = undefined;
  markElements();
});

/** Scrolls to an element that something has changed. */
function showElement({ panel, field }) {
  elementLike(panel, field)?.scrollIntoView({ block: "nearest" });
}

/** Shows a text that is being typed in the admin's page. */
function showText(panel, text) {
  const root = shownForm()?.shadowRoot;
  const element = root && elementsOf(root).find((each) => each.panel === panel)?.element;
  const shown = element && (panel in TEXTS ? root.querySelector(TEXTS[panel]) : textNodeOf(element));
  if (shown && shown !== typedIn) shown.textContent = text;
}

/** Returns the first words of a label, without what the form adds to them. */
const textNodeOf = (element) => textNodeIn(element.querySelector("[part~=label]"));

const textNodeIn = (label) => [...label?.childNodes ?? []].find(({ nodeType }) => nodeType === 3);

/** Elements that are nothing but a text to whoever edits the form, so that one click is enough to type. */
const WHOLE_TEXTS = new Set(["button", "consent"]);

addEventListener("click", (event) => {
  if (!editing.isOn) return;
  const element = elementIn(event);
  if (!element) return;
  // A selected form is not filled in, and sends nothing.
  event.preventDefault();
  event.stopPropagation();
  const wasSelected = element.dataset.selected !== undefined;
  const listed = wasSelected ? listedChoice(event) : undefined;
  // The button of the first step is typed in the panel.
  select(element, listed !== undefined || element.matches("input"), listed);
  if (listed !== undefined) return;
  const isText = textIn(element) === element || WHOLE_TEXTS.has(element.dataset.element);
  if (wasSelected || isText) startTyping(element, choiceAt(element, event));
}, { capture: true });

addEventListener("dblclick", (event) => {
  const element = editing.isOn && elementIn(event);
  if (element && listedChoice(event) === undefined) startTyping(element, choiceAt(element, event));
}, { capture: true });

// A list that is selected does not open: nothing can be typed in what it shows, so it leads to the panel.
addEventListener("mousedown", (event) => {
  if (editing.isOn && elementIn(event) && listedChoice(event) !== undefined) event.preventDefault();
}, { capture: true });

addEventListener("keydown", (event) => {
  if (!editing.isOn) return;
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (typedIn) {
    if (key !== "Enter" && key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    return stopTyping();
  }
  const element = elementIn(event);
  if (element && (key === "Enter" || key === " " || key === "F2")) {
    event.preventDefault();
    const listed = listedChoice(event);
    const choice = choiceAt(element, event);
    const types = key === "F2" && listed === undefined;
    select(element, !types, listed ?? choice);
    if (types) startTyping(element, choice);
    return;
  }
  const isCommand = ctrlKey || metaKey;
  const isMove = altKey && (key === "ArrowUp" || key === "ArrowDown");
  if (isMove && element) select(element, false);
  if (!isMove && !(isCommand && /^[zy]$/i.test(key))) return;
  event.preventDefault();
  say({ preview: "key", key, altKey, isCommand, shiftKey });
}, { capture: true });

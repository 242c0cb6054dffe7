// Takes changes of a form back, and brings them back, until the page is left.

import { announce } from "./announcer.js";
import { setOwn } from "./own_values.js";
import { showInForm } from "./editor.js";
import { changeOrder } from "./editor_moves.js";
import { load } from "./document.js";
import { wholeValueOf } from "./field_label.js";
import { renderWith, say } from "./editor_saves.js";

/** Time without typing after which a change is complete. */
const PAUSE_MS = 400;
const MOST = 200;
/** Fields of a form that are not settings. */
const CONTROLS = new Set([
  "action",
  "_page",
  "version",
  "form",
  "variant",
  "draftVersion",
  "b:publish",
  "locale",
]);

/** The states that a form has had, by the page's path and query. `at` is the index of the present one. */
const histories = new Map();
const page = () => location.pathname + location.search;
/** The pages of the changes of a form, in their order over its languages. `at` is the number of those that are not undone. */
const trails = new Map();
/** The page that was shown last. */
let shown;
/** What is to be undone or redone once the page is shown on which it was done. */
let pending;
let waiting;
/**
 * Whether the server has just been asked to show a state again; or the name of what it has beside its fields that it was asked
 * for. It may write the same settings in another way.
 */
let restored = false;
/** Takes the step back that the server was asked for, if it fails. Undefined if that was not undo or redo. */
let takeBack;
/** What `go` was asked for meanwhile, in its order. */
let queued = [];
/** What a form had before a version took its place, with the page of its editor. */
let replaced;

const nameOf = (field) => field.name || field.dataset.name || "";
export const settingsIn = (form) =>
  [...form.elements].filter((field) =>
    field.matches("input, select, textarea") && form.contains(field) && nameOf(field) !== "" &&
    !CONTROLS.has(nameOf(field))
  );
const hasStatus = ({ sent }) => sent.some(([name]) => name.endsWith("fields.status"));
const isCheck = ({ type }) => type === "checkbox" || type === "radio";

/** Returns what a form says now: its fields for this page, and what it would send for the server. */
export function snapshotOf(form) {
  const settings = settingsIn(form);
  const fields = settings.map((field) => [
    nameOf(field),
    isCheck(field) ? field.checked : wholeValueOf(field),
    field.closest("[data-inherited]")?.dataset.inherited,
  ]);
  const data = new FormData(form);
  for (const field of settings) {
    if (field.validity.badInput && field.name) data.set(field.name, wholeValueOf(field));
  }
  const sent = [...data].filter(([name]) => !CONTROLS.has(name));
  const beside = Object.fromEntries(Object.keys(BESIDE).map((name) => [name, besideOf(form, name)?.value]));
  // A visit to check is never saved.
  const own = sent.filter(([name]) => !name.includes("visit."));
  return { fields, sent, ...beside, key: JSON.stringify([own, ...Object.values(beside)]) };
}

/**
 * What a form has besides its fields, and actions of its own save. By the name that a state has it under: the attribute that
 * says what there is now, and what its forms send to bring another one back. Translations have none.
 */
const BESIDE = {
  image: {
    attribute: "data-image",
    fields: (value) => [...new URLSearchParams(value)],
    formFor: (forms, value) => forms[new URLSearchParams(value).has("id") ? 0 : 1],
  },
  texts: {
    attribute: "data-own-texts",
    fields: (value) => [["texts", value]],
    formFor: ([form]) => form,
  },
};

function besideOf(form, name) {
  const part = form.ownerDocument.querySelector(`[${BESIDE[name].attribute}]`);
  return part && { part, value: part.getAttribute(BESIDE[name].attribute) };
}

function trailOfPage() {
  const query = new URLSearchParams(location.search);
  query.delete("locale");
  const key = `${location.pathname}?${query}`;
  if (!trails.has(key)) trails.set(key, { pages: [], at: 0 });
  return trails.get(key);
}

/** Begins the history of a page, or goes on with it after the page was replaced, or another language was shown. */
export function prepareHistory(editor) {
  const form = formIn(editor);
  if (!form) return;
  const history = histories.get(page());
  const isBack = shown !== page();
  const asked = restored;
  restored = false;
  shown = page();
  if (!history) histories.set(page(), { states: [snapshotOf(form)], at: 0 });
  else if (isBack) history.states[history.at] = snapshotOf(form);
  else if (asked) {
    const now = snapshotOf(form);
    const wanted = history.states[history.at];
    // The server has brought back the image or the texts of a state in which more was different.
    const isOther = asked in BESIDE && wanted[asked] === now[asked] && wanted.key !== now.key;
    if (isOther) restore(editor, wanted);
    if (!restored) history.states[history.at] = snapshotOf(form);
  } else if (hasStatus(snapshotOf(form)) && !hasStatus(history.states[history.at])) {
    // Publishing a form for the first time gives it a status, which is no step.
    history.states[history.at] = snapshotOf(form);
  } else record(editor);
  if (replaced?.page === page()) {
    const { state } = replaced;
    replaced = undefined;
    if (state.key !== snapshotOf(form).key) addEarlier(editor, state);
  }
  if (!restored) takeBack = undefined;
  showButtons(editor, Boolean(asked));
}

/** Keeps what a form has, for undo, before one of its versions takes its place. @param url of the editor of the form */
export async function keepReplaced(url) {
  replaced = undefined;
  if (!url) return;
  const next = await load(url);
  const editor = next?.querySelector("[data-editor]");
  const { pathname, search } = new URL(url, location.href);
  if (editor) replaced = { page: pathname + search, state: snapshotOf(formIn(editor)) };
}

const formIn = (editor) => editor.ownerDocument.getElementById(editor.dataset.editor);

/** Adds the present state of the form, if it is another one. */
function record(editor) {
  clearTimeout(waiting);
  const history = histories.get(page());
  const form = formIn(editor);
  if (!history || !form) return;
  const now = snapshotOf(form);
  if (now.key === history.states[history.at].key) return;
  const trail = trailOfPage();
  for (const each of trail.pages.splice(trail.at)) {
    const { states, at } = histories.get(each);
    states.splice(at + 1);
  }
  history.states.push(now);
  trail.pages.push(page());
  if (history.states.length > MOST) {
    history.states.shift();
    trail.pages.splice(trail.pages.indexOf(page()), 1);
  }
  history.at = history.states.length - 1;
  trail.at = trail.pages.length;
  showButtons(editor);
}

/** Adds a state before the present one. */
export function addEarlier(editor, state) {
  const history = histories.get(page());
  history.states.splice(history.at, 0, state);
  history.at++;
  const trail = trailOfPage();
  trail.pages.splice(trail.at, 0, page());
  trail.at++;
  showButtons(editor);
}

/** @param keepsFocus whether one of the buttons is about to get the focus */
function showButtons(editor, keepsFocus = false) {
  const { pages, at } = trailOfPage();
  const [back, forth] = [editor.querySelector("[data-undo]"), editor.querySelector("[data-redo]")];
  if (!back) return;
  // A button that is disabled while it has the focus would lose it.
  for (const [button, isOff] of [[back, at === 0], [forth, at === pages.length]]) {
    const isFocusable = keepsFocus || document.activeElement === button;
    button.disabled = isOff && !isFocusable;
    if (isOff && isFocusable) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
}

export const undo = (editor) => go(editor, -1, "Undone");
export const redo = (editor) => go(editor, 1, "Redone");

/** @returns whether the key is ours, also if there is nothing to take back */
function go(editor, by, said) {
  if (restored || pending) {
    queued.push([by, said]);
    return true;
  }
  record(editor);
  const trail = trailOfPage();
  const where = trail.pages[by < 0 ? trail.at - 1 : trail.at];
  if (where === undefined) {
    announce(by < 0 ? "Nothing to undo" : "Nothing to redo");
    return true;
  }
  if (where !== page()) {
    const links = [...editor.querySelectorAll("[data-languages] a")];
    const link = links.find(({ pathname, search }) => pathname + search === where);
    if (link) pending = { where, by, said };
    link?.click();
    return true;
  }
  const history = histories.get(where);
  for (const each of [trail, history]) each.at += by;
  restore(editor, history.states[history.at]);
  if (restored) takeBack = () => [trail, history].forEach((each) => each.at -= by);
  announce(said);
  return true;
}

/** Does what was to be done on this page, if another one was shown when it was asked for. */
export function finishHistory(editor) {
  const { where, by, said } = pending ?? {};
  pending = undefined;
  if (where === page()) go(editor, by, said);
  while (queued.length > 0 && !restored && !pending) go(editor, ...queued.shift());
}

/** Leaves the form as it is, because the server could not be asked to show another state. */
export function dropRestored() {
  const editor = document.querySelector("[data-editor]");
  if (!restored || !editor) return;
  restored = false;
  queued = [];
  takeBack?.();
  showButtons(editor);
}

/** Does not do it later: the user has stayed on this page. */
export function dropPending() {
  if (!pending) return;
  const undone = pending.said.toLowerCase();
  pending = undefined;
  queued = [];
  say(
    `Not ${undone}: that change is in another language, which you did not open. Your changes here are not saved yet.`,
    {
      isBad: true,
    },
  );
}

/** Brings the form of an editor into a state: here, or if it had other fields then, with the server's help. */
export function restore(editor, state) {
  const form = formIn(editor);
  for (const name of Object.keys(BESIDE)) {
    const now = besideOf(form, name);
    if (!now || state[name] === undefined || now.value === state[name]) continue;
    restored = name;
    return restoreBeside(now.part, BESIDE[name], state[name]);
  }
  const fields = settingsIn(form);
  const isSame = fields.length === state.fields.length &&
    fields.every((field, index) => nameOf(field) === state.fields[index][0]);
  const valueOf = (field) => isCheck(field) ? "checked" : "value";
  const changed = isSame
    ? fields.filter((field, index) => field[valueOf(field)] !== state.fields[index][1])
    : [];
  if (!isSame || isMoveOfRows(changed)) {
    restored = true;
    return renderWith(editor, state.sent);
  }
  for (const group of form.querySelectorAll("[data-inherited]")) {
    const index = fields.findIndex((field) => group.contains(field));
    if (index >= 0) setOwn(group, state.fields[index][2] === "own");
  }
  changeOrder(editor, () => fields.forEach((field, index) => field[valueOf(field)] = state.fields[index][1]));
  form.elements.draftVersion.dispatchEvent(new Event("input", { bubbles: true }));
  showButtons(editor);
  if (changed.length > 0) showInForm(editor, changed[0]);
}

/** Returns whether rows of a list took each other's values. The server has written their titles. */
const isMoveOfRows = (changed) =>
  new Set(
    changed.map((field) => field.closest("[data-row]:not([data-panel=order] *)"))
      .filter(Boolean),
  ).size > 1;

/** Lets the server bring back an image, which it keeps for some days, or the texts of other languages. */
function restoreBeside(part, { fields, formFor }, wanted) {
  const restoring = formFor(part.querySelectorAll("form"), wanted);
  const inputs = fields(wanted).map(([name, value]) =>
    Object.assign(document.createElement("input"), { type: "hidden", name, value })
  );
  restoring.querySelector("[data-values]").replaceChildren(...inputs);
  restoring.requestSubmit();
}

/** Keeps the present state of the form as one that can be brought back, before another takes its place. */
export const keepState = (editor) => restored || record(editor);

addEventListener("input", ({ target }) => {
  const editor = document.querySelector("[data-editor]");
  if (!editor || target.form !== formIn(editor) || target.name === "draftVersion") return;
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    await followed(target);
    record(editor);
  }, PAUSE_MS);
});

/** Waits for what a change of a field changes elsewhere, which is one step with it. */
const followed = ({ type }) => type === "datetime-local" && import("./past_times.js").catch(() => {});

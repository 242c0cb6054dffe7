// Saves a form's draft while it is edited. What cannot be saved is kept in this tab, until it can.

import { afterClick } from "./after_click.js";
import { announce } from "./announcer.js";
import { enhance, load, MOST_MS, parse, replaceMain } from "./document.js";
import { showPlace } from "./editor.js";
import { incompleteIn, incompleteText, isChangedInPage, isStillEmpty, labelOf } from "./field_label.js";
import { addEarlier, dropRestored, keepState, restore, settingsIn, snapshotOf } from "./editor_history.js";
import { showInherited } from "./own_values.js";
import { retryUnanswered } from "./live_preview.js";

/** Time after a change until it is saved. */
const PAUSE_MS = 700;
/** Times between attempts while cfbe cannot be reached: the first, and the longest. */
const RETRY_MS = { first: 2000, most: 30_000 };
const KEY = "cfbe-kept:";
const VERSIONS = ["version", "draftVersion"];
const page = () => location.pathname + location.search;

/** What the server has of the form on each page, as `snapshotOf` has it. Unknown until a save is answered. */
const saved = new Map();
let waiting;
let retrying;
let failures = 0;
/** The states, by `key`, that the server may have: those that were sent since one was saved. */
let tried = new Set();
/** The versions that a conflict shows. A newer one is another conflict. */
let compared = [];
/** The save that is under way, or the rendering of an earlier state. */
let saving = Promise.resolve();

const editorNow = () => document.querySelector("[data-editor]");
const formIn = (editor) => document.getElementById(editor?.dataset.editor ?? "");
const maySave = (editor) => editor?.querySelector("[data-save-draft]");

/** Goes on with the saves of a page that was opened or replaced, and brings back what was kept of it. */
export function prepareSaves(editor) {
  const form = formIn(editor);
  const state = editor.querySelector("[data-saved]:has(time)");
  state?.append(zoneOf(state));
  if (!maySave(editor) || !form) return;
  const kept = JSON.parse(sessionStorage.getItem(KEY + page()) ?? "null");
  tried = new Set(kept?.tried);
  const isSent = !noteIn(form).hidden;
  if (isInConflict(editor)) {
    saved.delete(page());
    keep(editor, form);
    return sayConflict(editor, "Not saved.");
  }
  if (!isSent && settingsIn(form).some(isChangedInPage)) {
    keep(editor, form);
    noteIn(form).hidden = false;
    return saveSoon();
  }
  if (!isSent) saved.set(page(), snapshotOf(form).key);
  if (isSent && !isChanged(editor)) {
    // The page of a refused request says that nothing of it was saved, but the draft has it.
    noteIn(form).hidden = true;
    return;
  }
  if (isSent) return saveSoon();
  const { key } = snapshotOf(form);
  if (!kept || kept.key === key) return;
  if (kept.draftVersion === form.elements.draftVersion.value || tried.has(key)) {
    say("Restored what was not saved yet");
    restore(editor, kept);
  } else {
    forget();
    addEarlier(editor, kept);
    say("Undo brings back what this tab had not saved");
  }
}

/** Whether somebody else has saved the form meanwhile, so that nothing is saved before the user has chosen. */
const isInConflict = (editor) => editor.querySelector("[data-conflict]") !== null;

const noteIn = (form) => form.querySelector("[data-unsaved]");

/** Shows that the server has what is in a form. What was refused has been taken back. */
function showUnchanged(form) {
  clearTimeout(waiting);
  noteIn(form).hidden = true;
  forget();
  if (!document.querySelector("[data-saved]").textContent.startsWith("Saved")) say("");
  if ([...form.elements].some(({ ariaInvalid }) => ariaInvalid === "true")) showErrors(form, {});
}

/** Waits until no save or rendering is under way. Nothing more is saved until the page is replaced, or changes again. */
export async function settle() {
  clearTimeout(waiting);
  const awaited = saving;
  await awaited;
  // It may have begun another.
  if (saving !== awaited) return settle();
  clearTimeout(waiting);
}

/** Saves what has changed at once. Afterwards, it is saved or kept. */
export async function flush() {
  const editor = editorNow();
  if (editor) keepState(editor);
  await settle();
  if (editor && isChanged(editor)) await save();
}

function isChanged(editor) {
  const form = formIn(editor);
  if (!form || !maySave(editor)) return false;
  return snapshotOf(form).key !== saved.get(page()) || incompleteIn(form) !== undefined;
}

function saveSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(save, PAUSE_MS);
}

function save() {
  saving = saving.then(saveNow, saveNow);
  return saving;
}

async function saveNow() {
  clearTimeout(waiting);
  clearTimeout(retrying);
  const editor = editorNow();
  if (!editor || !isChanged(editor) || isInConflict(editor)) return;
  const form = formIn(editor);
  const incomplete = incompleteIn(form);
  if (incomplete) return say(`Not saved yet: ${incompleteText(incomplete)}`);
  const state = snapshotOf(form);
  const before = saved.get(page());
  saved.delete(page());
  say("Saving…");
  tried.add(state.key);
  keep(editor, form);
  const result = await sendDraft(form);
  if (!form.isConnected) return;
  if (result?.ok) return showSaved(form, state, result.data);
  if (!result) {
    say("Not saved: cfbe can't be reached. Your changes are kept in this tab; trying again.", {
      isBad: true,
    });
    retrying = setTimeout(save, Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** failures++));
    return;
  }
  failures = 0;
  saved.set(page(), before);
  if (snapshotOf(form).key === before) return showUnchanged(form);
  if (result.code === "signed_out") return saySignedOut();
  if (result.code === "conflict") {
    // A save whose answer was lost, or that was made while a row was being added, is no one else's.
    if (await renew(form, { versions: true, onlyIf: tried.add(before) })) return saveNow();
    await showConflict(editor, form);
    const [what] = result.message.split(". ");
    return sayConflict(editor, `Not saved: ${what}.`);
  }
  showErrors(form, result.fields ?? {});
  const [empty] = Object.keys(result.fields ?? {});
  if (empty !== undefined && isStillEmpty(form, empty)) {
    return say(`Not saved yet: fill in ${labelOf(form, empty)}`);
  }
  say(`Not saved: ${reasonOf(form, result)}`, { isBad: true });
}

/** Shows what is wrong with the fields of a form, by path. */
const showErrors = async (...of) => (await import("./field_errors.js")).showErrors(...of);

/** Returns why a save was refused, with the field that is wrong. */
function reasonOf(form, { message, fields = {} }) {
  const [[path, text] = []] = Object.entries(fields);
  if (path === undefined) return message ?? "cfbe did not accept the change.";
  const label = labelOf(form, path);
  return label ? `${label}: ${text}` : text;
}

/** Sends the draft. @returns the result; undefined if there was no answer that says what happened */
async function sendDraft(form, isAgain = false) {
  try {
    const response = await post(form, "application/json");
    if (response.status >= 500) return undefined;
    const result = await response.json();
    // The page was open for longer than its nonce is valid.
    if (result.code === "bad_nonce" && !isAgain && await renew(form)) return sendDraft(form, true);
    return result;
  } catch {
    return undefined;
  }
}

function post(form, accept) {
  const body = new URLSearchParams(new FormData(form));
  body.set("b:draft", "true");
  return fetch(form.getAttribute("action"), {
    method: "POST",
    body,
    headers: { accept },
    signal: AbortSignal.timeout(MOST_MS),
  });
}

/**
 * Takes what a form needs to be sent from a new copy of its page.
 *
 * @param onlyIf the states, by `key`, of which the server must have one
 * @returns whether the form has it now
 */
async function renew(form, { versions = false, onlyIf } = {}) {
  const next = await load();
  const other = next?.getElementById(form.id);
  if (!other || onlyIf?.has(snapshotOf(other).key) === false) return false;
  form.setAttribute("action", other.getAttribute("action"));
  if (versions) {
    for (const name of VERSIONS) setVersion(name, other.elements[name].value);
  }
  return true;
}

function setVersion(name, value) {
  const inputs = name === "version"
    ? formIn(editorNow()).querySelectorAll("[name=version]")
    : document.querySelectorAll(`main [name=${name}]`);
  for (const input of inputs) input.value = value;
}

function showSaved(form, state, { draftVersion, savedAt = "" } = {}) {
  failures = 0;
  tried.clear();
  retryUnanswered();
  showErrors(form, {});
  saved.set(page(), state.key);
  if (draftVersion !== undefined) setVersion("draftVersion", draftVersion);
  say(`Saved ${savedAt}${zoneOf(document.querySelector("[data-saved]"))}`);
  if (snapshotOf(form).key !== state.key) return saveSoon();
  noteIn(form).hidden = true;
  forget();
  refresh();
}

/** Returns the site's time zone, as it follows a time, where the browser has another one. */
function zoneOf({ dataset: { zone } }) {
  return zone === new Intl.DateTimeFormat().resolvedOptions().timeZone ? "" : ` (${zone})`;
}

/** How often was asked for what follows from the draft: only the last answer counts, whenever it arrives. */
let asked = 0;

/** Shows what follows from the draft: what is not published, and which elements the form has. */
async function refresh() {
  const before = page();
  const number = ++asked;
  const next = await load().finally(afterClick);
  const editor = editorNow();
  const other = next?.querySelector("[data-editor]");
  if (number !== asked || !editor || page() !== before || isChanged(editor)) return;
  if (!next) setTimeout(() => number === asked && page() === before && refresh(), RETRY_MS.first);
  if (!other) return;
  showInherited(formIn(editor), next);
  for (const part of editor.querySelectorAll("[data-follows]")) {
    const now = other.querySelector(`[data-follows="${part.dataset.follows}"]`);
    const focused = part.contains(document.activeElement) ? document.activeElement : undefined;
    const same = focused && sameIn(now, focused);
    if (!now || (focused && !same) || part.querySelector("[data-moving]")) continue;
    part.replaceChildren(...now.childNodes);
    enhance(part);
    same?.focus({ preventScroll: true });
  }
  showPlace(editor);
}

/** Returns the same link in another copy of a part of the page. What else has the focus must not be replaced. */
const sameIn = (part, { localName, href, dataset: { field } }) =>
  localName === "a" &&
  [...part?.querySelectorAll("a") ?? []].find((each) => each.href === href && each.dataset.field === field);

/** Says next to the buttons what is saved. */
export function say(text, { isBad = false, buttons = [] } = {}) {
  const state = document.querySelector("[data-saved]");
  if (!state) return;
  state.classList.toggle("bad", isBad);
  state.replaceChildren(text, ...buttons.flatMap((button) => [" ", button]));
}

function button(label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "quiet";
  made.textContent = label;
  made.addEventListener("click", act);
  return made;
}

function saySignedOut() {
  const again = button("Sign in", () => {
    // Nothing is lost: the browser need not ask.
    noteIn(formIn(editorNow())).hidden = true;
    location.reload();
  });
  say("Not saved: your session has ended. Your changes are kept in this tab.", {
    isBad: true,
    buttons: [again],
  });
}

/** Shows what differs between what the user has, and what someone else has saved meanwhile. */
async function showConflict(editor, form) {
  try {
    const next = parse(await (await post(form, "text/html")).text());
    const part = editor.querySelector("[data-follows=conflict]");
    const { elements } = next.getElementById(form.id);
    compared = VERSIONS.map((name) => [name, elements[name].value]);
    part.replaceChildren(...next.querySelector("[data-conflict]").childNodes);
    part.dataset.conflict = "";
    enhance(part);
  } catch {
    // What differs is not shown.
  }
}

/** Lets the user choose between what they have, and what someone else has saved meanwhile. */
function sayConflict(editor, text) {
  const theirs = button("Show theirs", async () => {
    const next = await load();
    if (!next) return;
    keepState(editor);
    forget();
    replaceMain(next);
    announce("Undo brings your version back");
  });
  const mine = button("Keep mine", async () => {
    for (const [name, value] of compared) setVersion(name, value);
    delete editorNow().querySelector("[data-conflict]")?.dataset.conflict;
    await save();
  });
  say(text, { isBad: true, buttons: [mine, theirs] });
}

/** Shows the form of an editor with other values, as the server renders them, once no save is under way. */
export function renderWith(editor, sent) {
  editor.ariaBusy = "true";
  clearTimeout(waiting);
  saving = saving.then(() => render(editor, sent));
}

async function render(editor, sent) {
  const form = formIn(editor);
  const controls = [...new FormData(form)].filter(([name]) =>
    ["action", "_page", "version", "form", "variant", "locale", "draftVersion"].includes(name)
  );
  const body = new URLSearchParams([...controls, ...sent, ["_own", ""]]);
  try {
    const response = await fetch(form.getAttribute("action"), {
      method: "POST",
      body,
      headers: { accept: "text/html" },
      signal: AbortSignal.timeout(MOST_MS),
    });
    const next = parse(await response.text());
    if (!next.querySelector("[data-editor]")) throw new Error("This is another page.");
    replaceMain(next);
  } catch {
    dropRestored();
    say("cfbe could not do that. Check your connection, and try again.", { isBad: true });
  } finally {
    editor.ariaBusy = null;
  }
}

/** Forgets what was kept of this page, because it is saved. */
export const forget = () => sessionStorage.removeItem(KEY + page());

function keep(editor, form) {
  const { fields, sent, key } = snapshotOf(form);
  // In a conflict, it is kept for undo: it does not replace what someone else has saved.
  const draftVersion = isInConflict(editor) ? undefined : form.elements.draftVersion.value;
  const kept = { fields, sent, key, draftVersion, tried: [...tried] };
  sessionStorage.setItem(KEY + page(), JSON.stringify(kept));
}

addEventListener("input", ({ target }) => {
  const editor = editorNow();
  const form = formIn(editor);
  if (!form || target.form !== form || !form.contains(target) || !maySave(editor)) return;
  if (!isChanged(editor)) return showUnchanged(form);
  keep(editor, form);
  noteIn(form).hidden = false;
  saveSoon();
});

// A field that was left empty, or incomplete, is now named as an error.
addEventListener("focusout", ({ target }) => {
  const editor = editorNow();
  const form = formIn(editor);
  if (!form || target.form !== form || target.value !== "" || !maySave(editor)) return;
  if (target.validity.badInput) noteIn(form).hidden = false;
  if (noteIn(form).hidden) return;
  if (isChanged(editor)) return saveSoon();
  showUnchanged(form);
});

addEventListener("online", () => save());

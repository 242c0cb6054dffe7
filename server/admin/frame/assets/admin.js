// Makes the admin faster. Every page works without it, with plain forms.

import { afterClick } from "./after_click.js";
import { announce } from "./announcer.js";
import { enhance, openPopover, parse, replaceMain } from "./document.js";
import { dropRestored, keepReplaced } from "./editor_history.js";
import { flush, forget, say, settle } from "./editor_saves.js";
import { hasUnsaved, keep, offerKept } from "./unsaved.js";
import { suggestedFormId, suggestedName, suggestedTag } from "./suggested_name.js";
import "./live_preview.js";
import "./visit.js";

/** Returns what the browser would send. Only forms with files need the longer format. */
function bodyOf(form, submitter) {
  const fields = new FormData(form, submitter);
  return form.enctype === "multipart/form-data" ? fields : new URLSearchParams(fields);
}

/** Submits a form in the background, and replaces the page with the response. @returns whether it was accepted */
async function send(form, submitter, body = bodyOf(form, submitter)) {
  form.setAttribute("aria-busy", "true");
  const undo = showExpected(submitter);
  const giveBack = chosenFiles(form);
  const keepEntered = enteredSince(form, submitter);
  try {
    // `form.action` would be the field with this name.
    const response = await fetch(form.getAttribute("action"), {
      method: "POST",
      body,
      headers: { accept: "text/html" },
    });
    // An editor keeps what is in its form itself.
    if (response.status === 401 && !form.elements.draftVersion) keep(form, body);
    if (response.redirected && form.querySelector("[data-unsaved]")) forget();
    const html = await response.text();
    await afterClick();
    show(html, response.redirected ? response.url : undefined, submitter);
    if (!response.ok) giveBack();
    keepEntered();
    return response.ok;
  } catch {
    undo();
    dropRestored();
    showError("cfbe could not be reached. Check your connection and try again.");
    return false;
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/** Returns a function that gives the files of a form that was refused to its fields in the page that says so. */
function chosenFiles(form) {
  const chosen = [...form.querySelectorAll("[type=file]")].map(({ id, files }) => ({ id, files }));
  return () => {
    for (const { id, files } of chosen) {
      const field = document.getElementById(id);
      if (field) field.files = files;
    }
  };
}

/**
 * Returns a function that takes what was entered into an editor or a form with a file, since it was sent, over to the page
 * with the response, where an editor saves it. Not from rows that are removed or moved: their numbers change.
 */
function enteredSince(form, submitter) {
  if (!form.querySelector("[type=file], [data-unsaved]")) return () => {};
  const publishes = submitter?.matches("[data-publish]");
  const changing = /^_(remove|up|down)$/.test(submitter?.name) ? submitter.closest(".rows") : null;
  const fields = [...form.elements].filter((field) =>
    field.matches(":is(input:not([type=hidden]), select, textarea)[id]") && !changing?.contains(field)
  );
  const before = fields.map(({ value, checked }) => ({ value, checked }));
  return () => {
    // What describes a visit to check is nothing that is published.
    const entered = fields.filter((field, index) =>
      publishes && isQuestion(field) || field.value !== before[index].value ||
      field.checked !== before[index].checked
    );
    for (const { id, type, value, checked, files, selectionStart, selectionEnd } of entered) {
      const field = document.getElementById(id);
      if (field?.form?.getAttribute("id") !== form.getAttribute("id")) continue;
      Object.assign(field, type === "file" ? { files } : { value, checked });
      // Other kinds of fields have no cursor.
      if (typeof selectionStart === "number") field.setSelectionRange(selectionStart, selectionEnd);
      for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
    }
  };
}

/**
 * Shows the state that a switch leads to before the server has responded. The response replaces the page with what has
 * really happened.
 *
 * @returns a function that shows the state before
 */
function showExpected(submitter) {
  const text = submitter?.dataset.expects;
  const badge = text && submitter.closest("tr")?.querySelector(".badge");
  if (!badge) return () => {};
  const before = badge.cloneNode(true);
  badge.className = "badge";
  badge.textContent = text;
  return () => badge.replaceWith(before);
}

function show(html, url, submitter) {
  const next = parse(html);
  // Another kind of page, such as the sign-in page, replaces the whole document.
  if (!document.querySelector(".frame") || !next.querySelector(".frame main")) {
    document.body.replaceChildren(...next.body.childNodes);
    document.title = next.title;
    enhance(document);
    return document.querySelector("main")?.focus();
  }
  const before = document.activeElement;
  // Some browsers give a button that is pressed no focus.
  const beforeId = (before === document.body ? submitter : before)?.id;
  // What adds something that needs nothing more stays where it is, for the next one.
  const stays = submitter?.matches("[data-stays]");
  const top = stays && submitter.getBoundingClientRect().top;
  // Somebody who already types elsewhere stays there.
  const added = submitter?.name === "_add" && !stays && !before?.matches("input, select, textarea");
  const findSuccessor = successorOf(submitter);
  const isAnotherPage = url && new URL(url, location.href).pathname !== location.pathname;
  const findBeside = isAnotherPage ? () => undefined : besideOf(submitter);
  if (url) history.replaceState(null, "", url);
  const scrolled = document.querySelector(".panels")?.scrollTop ?? 0;
  const opened = document.querySelector("main [popover]:popover-open");
  const main = replaceMain(next);
  main.querySelector(".panels")?.scrollTo(0, scrolled);
  // Focus the added row, the first wrong field of a dialog, the summary of errors, the field that has just become editable,
  // what had the focus, or what follows it.
  const list = added && document.getElementById(submitter.closest(".rows")?.id ?? "");
  const rows = list ? list.querySelectorAll(":scope > [data-row]") : [];
  const wrong = main.querySelector("[popover] [aria-invalid=true]");
  openPopover(wrong?.closest("[popover]"));
  if (opened && !submitter?.closest("[popover]")) openPopover(document.getElementById(opened.id));
  const target = stays
    ? document.getElementById(submitter.id)
    : added
    ? toFillIn(rows[rows.length - 1])
    : wrong ?? main.querySelector("[autofocus]:not([popover] *)") ??
      ((beforeId && openerOf(document.getElementById(beforeId))) || findSuccessor(main)) ?? findBeside(main);
  (target || main).focus({ preventScroll: !submitter || stays || target?.id === beforeId });
  if (stays && target) {
    for (const scrolling of [main.querySelector(".panels"), self]) {
      scrolling?.scrollBy(0, target.getBoundingClientRect().top - top);
    }
  }
  const answer = submitter?.name === "_check" && main.querySelector(".checks > [tabindex]");
  if (answer) answer.scrollIntoView({ block: "nearest" });
  // The label of a new field is there to be typed over.
  if (added && target?.matches("[type=text]")) target.select();
  // In an editor, what went well is said over the page.
  if (!target || main.querySelector('[role="alert"], .says > :not(.good)')) scrollTo({ top: 0 });
  announce(changeText(main, target, submitter));
}

/** Returns what to fill in first in a new row: rather a text than the choice before it, such as "starts with". */
const toFillIn = (row) =>
  row?.querySelector("input:not([type=hidden], [type=checkbox], [type=radio])") ??
    row?.querySelector("input:not([type=hidden]), select, textarea, .add");

/** Returns an element, or the button that opens the popover in which it is hidden. */
function openerOf(element) {
  const popover = element?.checkVisibility() ? undefined : element?.closest("[popover]");
  return popover ? document.querySelector(`[popovertarget="${popover.id}"]`) : element;
}

/**
 * Returns a function that finds what takes the focus over from a button in a table, if its row is gone: the same button in
 * the next row, or in the last one, or the page's heading.
 */
function successorOf(submitter) {
  const row = submitter?.closest("tbody tr");
  if (!row) return () => undefined;
  const popover = submitter.closest("[popover]");
  const text = (popover ? row.querySelector(`[popovertarget="${popover.id}"]`) : submitter)?.textContent;
  const rowIndex = [...row.parentElement.rows].indexOf(row);
  const tableIndex = [...document.querySelectorAll("main table")].indexOf(row.closest("table"));
  return (main) => {
    const rows = main.querySelectorAll("table")[tableIndex]?.tBodies[0]?.rows ?? [];
    const buttons = [...(rows[rowIndex] ?? rows[rows.length - 1])?.querySelectorAll("button") ?? []];
    const button = buttons.find((each) => each.textContent === text);
    if (button) return button;
    const heading = main.querySelector("h1");
    if (heading) heading.tabIndex = -1;
    return heading;
  };
}

/**
 * Returns a function that finds what takes the focus over from a button outside of tables, or from the one that opened the
 * dialog that the button is in: the same one, another one beside it, or in an editor the step that is open.
 */
function besideOf(submitter) {
  const dialog = submitter?.closest("[popover]")?.id;
  const opener = (main) => dialog && main.querySelector(`[popovertarget="${dialog}"]`);
  const button = opener(document) || submitter;
  const part = button?.closest("main [id]:not(form)")?.id;
  return (main) => {
    const beside = part && document.getElementById(part)?.querySelectorAll("button:not([popover] *)") || [];
    return [opener(main), ...beside, main.querySelector(".editor-steps [aria-current]")]
      .find((each) => each?.checkVisibility() && !each.disabled);
  };
}

/** Returns what has happened, for people who do not see it: the message of an action, or where a row is now. */
function changeText(main, target, submitter) {
  if (submitter?.name === "_remove") return `Removed: ${submitter.closest("[data-row]").ariaLabel}`;
  if (submitter?.matches("[name=_add], [data-stays]")) {
    return `Added: ${target?.closest("[data-row]")?.ariaLabel ?? submitter.textContent.trim()}`;
  }
  const row = /^_(up|down)$/.test(submitter?.name) && target?.closest("[data-row]");
  if (!row) return main.querySelector("[data-status]")?.textContent.trim() ?? "";
  const rows = [...row.parentElement.children].filter((each) => "row" in each.dataset);
  return `Moved: ${row.ariaLabel}, ${rows.indexOf(row) + 1} of ${rows.length}`;
}

/** Shows an error that comes from the browser and not from the server. */
function showError(text) {
  // In an editor, what the next save says takes its place.
  if (document.querySelector("[data-saved]")) return say(text, { isBad: true });
  const status = document.querySelector("[data-status]");
  if (!status) return;
  const notice = document.createElement("div");
  notice.className = "notice bad";
  notice.textContent = text;
  status.replaceChildren(notice);
  scrollTo({ top: 0 });
}

/** Whether the pointer was pressed beside an open question, which that closes. */
let isBeside = false;

addEventListener("pointerdown", ({ target }) => {
  const question = document.querySelector("dialog:popover-open");
  isBeside = question !== null && !question.contains(target);
}, { capture: true });

// A click beside a question does nothing else: what is there is dimmed. One by keyboard has no count.
addEventListener("click", (event) => {
  if (!isBeside || event.detail === 0) return;
  event.preventDefault();
  event.stopPropagation();
}, { capture: true });

/** Whether the form that is being sent was accepted, once its response is shown. Undefined if none is. */
let sending;
/** The button of each form that was pressed last. */
const pressed = new WeakMap();

addEventListener("submit", async (event) => {
  const form = event.target;
  // A button with an address of its own downloads a file.
  if (form.dataset.form !== "" || event.defaultPrevented || event.submitter?.hasAttribute("formaction")) {
    return;
  }
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return pressInNext(form, event.submitter);
  form.setAttribute("aria-busy", "true");
  pressed.set(form, event.submitter);
  let isBeforeSaved = true;
  while (sending) isBeforeSaved = await sending.catch(() => false);
  const publishes = event.submitter?.matches("[data-publish]");
  // The page was replaced meanwhile. What was typed until then is saved before.
  const pressAgain = () => publishes && setTimeout(() => document.querySelector("[data-publish]")?.click());
  // Publishing is for what is on the page, such as an image that is saved when the focus leaves it for this button.
  if (publishes && !isBeforeSaved) {
    form.removeAttribute("aria-busy");
    return say("Not published, because the change before could not be saved.", { isBad: true });
  }
  if (!form.isConnected) return pressAgain();
  // What is being saved has a new version afterwards. What publishes needs that, and another form replaces the page with
  // what the server has.
  const saved = !publishes && form.matches(":has([data-unsaved])") ? settle() : flush();
  const replaced = saved.then(() => keepReplaced(event.submitter?.dataset.replaces));
  sending = replaced.then(() => {
    if (!form.isConnected) {
      pressAgain();
      return true;
    }
    // The response replaces the page with all its forms.
    const mayReplace = !hasUnsaved(form) ||
      confirm("Your unsaved changes on this page will be lost. Continue?");
    return mayReplace ? send(form, event.submitter) : dropRestored();
  }).finally(() => {
    form.removeAttribute("aria-busy");
    sending = undefined;
  });
});

/**
 * Presses a button of a form that is being sent once the response has replaced the form, if both buttons only change what
 * the page shows. Where rows were removed or moved, the same button is another row's.
 */
async function pressInNext(form, button) {
  const before = pressed.get(form);
  if (button === before || !/^_(add|own|inherit)$/.test(before?.name) || !button?.name.startsWith("_")) {
    return;
  }
  pressed.set(form, button);
  while (sending) await sending.catch(() => false);
  if (form.isConnected) return;
  const { name, value, ariaLabel, textContent } = button;
  const isSame = (each) =>
    each.name === name && each.value === value && each.ariaLabel === ariaLabel &&
    each.textContent === textContent;
  const next = document.getElementById(form.getAttribute("id"));
  [...next?.elements ?? []].find(isSame)?.click();
}

/** Whether a field only describes a visit to check the form's rules for, and is not part of what the form saves. */
const isQuestion = (field) => field.closest("[data-enter]") !== null;

// Enter would press the first button of the form, which is elsewhere on the page.
addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (key !== "Enter" || target.tagName !== "INPUT" || !isQuestion(target)) return;
  event.preventDefault();
  document.getElementById(target.closest("[data-enter]").dataset.enter).click();
});

addEventListener("input", ({ target }) => {
  if (isQuestion(target) || target.closest("[data-editor]")) return;
  const unsaved = target.form?.querySelector("[data-unsaved]");
  if (unsaved) unsaved.hidden = false;
});

/** What suggests the input of a row that is named after its label, by the end of the input's name. */
const NAMINGS = { name: suggestedName, tag: suggestedTag };

// Names a new field or interest after its label, until someone writes another name.
addEventListener("input", ({ target }) => {
  const named = target.name && target.form?.querySelector(`[data-named-after="${CSS.escape(target.name)}"]`);
  if (!named || named.value !== (named.dataset.suggested ?? "")) return;
  const member = named.name.split(".").pop();
  const others = [...target.form.querySelectorAll(`[data-named-after][name$=".${member}"]`)];
  const taken = others.filter((other) => other !== named).map(({ value }) => value);
  named.value = named.dataset.suggested = NAMINGS[member](target.value, taken);
});

// Shows the ID that a new form gets from its title.
function showId(title) {
  const part = title.closest("[data-makes-id]");
  const id = document.createElement("code");
  id.textContent = suggestedFormId(title.value, part.dataset.makesId.split(" "));
  part.querySelector("output").replaceChildren(...title.value.trim() ? [id] : []);
}

/** Suggests another title for another choice, until someone types one. */
function suggestTitle(choice) {
  const part = choice.form?.querySelector("[data-titles]");
  if (!part) return;
  const title = part.querySelector('[name="title"]');
  const titles = JSON.parse(part.dataset.titles);
  if (title.value.trim() && !Object.values(titles).includes(title.value)) return;
  title.value = titles[choice.value];
  showId(title);
}
addEventListener("input", ({ target }) => {
  if (target.matches?.('[data-makes-id] [name="title"]')) showId(target);
  else if (target.matches?.("select")) suggestTitle(target);
});
// People may have typed or chosen before this script was loaded.
document.querySelectorAll('[data-makes-id] [name="title"]').forEach(showId);
document.querySelectorAll("form:has([data-titles]) select").forEach(suggestTitle);

addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  const label = button.querySelector("[data-copied]") ?? button;
  const before = label.textContent;
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    label.textContent = "Copied";
  } catch {
    // Without permission for the clipboard, select the text for the keyboard.
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    label.textContent = "Press Ctrl+C";
  }
  setTimeout(() => label.textContent = before, 2000);
});

addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-print]")) print();
});

// Reads a chosen file into a field of the same form.
addEventListener("change", async ({ target }) => {
  const [file] = target.files ?? [];
  const into = file && target.form?.elements[target.dataset.readInto];
  if (into) into.value = await file.text();
});

enhance(document);
offerKept((form, body) => send(form, undefined, body));

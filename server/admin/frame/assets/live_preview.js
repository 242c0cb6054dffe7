// Shows unsaved changes of a form's settings in its preview, in the width, colors and state that the user chose.

import { showContrast } from "./contrast.js";
import { showColors } from "./color_picker.js";
import { announce } from "./announcer.js";
import { parse } from "./document.js";
import { isStillEmpty, labelOf } from "./field_label.js";
import { chosen, keepChoice, showChosen } from "./preview_choices.js";
import {
  draw,
  finish,
  hasSteps,
  MOST_WAIT_MS,
  newestOf,
  noteLeft,
  replace,
  show,
  showDelay,
  showNext,
} from "./preview_frames.js";
import { resize } from "./preview_window.js";

const DELAY_MS = 150;
/** Time without typing after which screen readers hear that the preview has changed. */
const QUIET_MS = 1500;

let waiting;
let announcing;
/** The last settings with unsaved changes, and the frame's URL that they belong to. A new page shows them while the form is invalid. */
let valid;
/** Cancels the request for the settings, of which only the last one counts. */
let asking = new AbortController();
/** How often cfbe has answered something else, so that what got no answer can be asked again. */
let answers = 0;

const previewOf = (element) => element.closest?.("[data-live-preview]");
/** Returns where a form is sent, with its action and nonce. `form.action` would be the field with this name. */
const urlOf = (form) => new URL(form.getAttribute("action"), location.href);
const formOf = (preview) => document.getElementById(preview.dataset.livePreview);
const stageOf = (preview) => preview.querySelector("[data-stage]");

/** Draws a preview from what is in its form now. While that is invalid, keeps it as it is. */
async function drawUnsaved(preview, form) {
  // Saving may have replaced the page since the user typed, and may do so until the response is here. What is typed into
  // the preview itself is there already, and would be lost: the preview is drawn when that ends.
  const isOff = () => !preview.isConnected || preview.dataset.typedIn !== undefined;
  if (isOff()) return;
  asking.abort();
  const { signal } = asking = new AbortController();
  const before = answers;
  const overdue = setTimeout(() => showDelay(preview, { unanswered: true }), MOST_WAIT_MS);
  const response = await settingsWith(preview, form, signal);
  clearTimeout(overdue);
  if (signal.aborted || isOff()) return;
  if (!response && answers !== before) return drawUnsaved(preview, form);
  showDelay(preview, { unanswered: !response });
  if (response) showProblems(preview, form, response.problems);
  const { src, isTold } = newestOf(preview);
  if (response?.settings) valid = { src, settings: response.settings };
  draw(preview, response?.settings ?? (!isTold && valid?.src === src ? valid.settings : undefined), chosen);
  if (!response?.settings) return;
  showNextPage(preview, response.settings.nextPage);
  showStates(preview, hasSteps(response.settings, newestOf(preview)));
  showColors(form, response.settings.colors);
  announceLater(showContrast(form, parse(response.settings.contrast)) || "Preview updated");
}

/**
 * Returns the settings with what is in a form now. If that is invalid, says why instead. Returns undefined if the server
 * could not be reached, or refused for another reason.
 */
async function settingsWith(preview, form, signal) {
  const body = new URLSearchParams(new FormData(form));
  try {
    const url = new URL(newestOf(preview).src);
    for (const parameter of urlOf(form).searchParams) url.searchParams.set(...parameter);
    const response = await fetch(url, { method: "POST", body, signal });
    const result = await response.json();
    if (response.ok) return { settings: result, problems: [] };
    return result.problems?.length > 0 ? { problems: result.problems } : undefined;
  } catch {
    return undefined;
  }
}

/** @param text says where visitors go after the signup; empty if they stay */
function showNextPage(preview, text) {
  const note = preview.querySelector("[data-next-page]");
  note.textContent = text;
  note.hidden = text === "";
}

/** Shows the states that a form can be in: only one with two steps has the second. */
function showStates(preview, isInSteps) {
  preview.querySelector("[name=preview-state][value=second]").parentElement.hidden = !isInSteps;
  showChosen(preview);
}

function announceLater(text) {
  clearTimeout(announcing);
  announcing = setTimeout(() => announce(text), QUIET_MS);
}

function showProblems(preview, form, all) {
  const problems = all.filter(({ path }) => !isStillEmpty(form, path));
  const notice = preview.querySelector("[data-problems]");
  notice.hidden = problems.length === 0;
  notice.querySelector("ul").replaceChildren(...problems.map(({ path, title, message }) => {
    const item = document.createElement("li");
    item.textContent = `${labelOf(form, path) ?? title}: ${message}`;
    return item;
  }));
  if (problems.length > 0) announceLater(notice.textContent);
}

function drawSoon(preview, form) {
  clearTimeout(waiting);
  waiting = setTimeout(() => drawUnsaved(preview, form), DELAY_MS);
}

function choose(input, preview) {
  const control = keepChoice(input);
  if (control === "width") showWidth(preview);
  else draw(preview, undefined, chosen, { again: true });
  announceLater("Preview updated");
}

function showWidth(preview) {
  const stage = stageOf(preview);
  stage.dataset.stage = chosen.width;
  resize(stage, chosen.width);
}

for (const type of ["input", "change"]) {
  addEventListener(type, ({ target }) => {
    const preview = previewOf(target);
    if (preview) {
      if (type === "change" && target.name?.startsWith("preview-")) choose(target, preview);
      return;
    }
    const own = target.form?.id && document.querySelector(`[data-live-preview="${target.form.id}"]`);
    if (own) drawSoon(own, target.form);
  });
}

/** The user can change the height of the stage as well. */
const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) if (target.isConnected) resize(target, chosen.width);
});

const frames = () => [...document.querySelectorAll("iframe.preview")];

addEventListener("message", ({ source, data }) => {
  const frame = frames().find(({ contentWindow }) => contentWindow === source);
  if (frame && data?.preview === "ready" && frame.loaded !== data.loaded) {
    frame.loaded = data.loaded;
    begin(frame);
  } else if (frame && data?.preview === "drawn") {
    frame.popupHeight = data.height;
    finish(frame, leave);
    const preview = previewOf(frame);
    if (preview) showWidth(preview);
  } else if (frame && data?.preview === "left") {
    noteLeft(frame);
    leave(previewOf(frame));
  }
});

/** Shows the next frame of a preview, in its size. */
function leave(preview) {
  showNext(preview);
  showWidth(preview);
}

/** Shows what is to be seen in a frame that has loaded. */
function begin(frame) {
  frame.isTold = false;
  const preview = previewOf(frame);
  if (!preview) return show(frame, undefined, chosen);
  resized.observe(stageOf(preview));
  const form = formOf(preview);
  if (!frame.settings && hasUnsavedOrDraft(form)) return drawUnsaved(preview, form);
  if (!frame.settings) valid = undefined;
  show(frame, frame.settings, chosen);
  showWidth(preview);
}

/** Returns whether a form has other values than pages show, for example after it was refused, or saved as a draft. */
function hasUnsavedOrDraft(form) {
  const note = form?.querySelector("[data-unsaved]");
  return Boolean(form?.elements.draftVersion?.value) || (note && !note.hidden);
}

/** Loads the frame of a preview again, which asks for its settings. */
function retry(preview, anew = false) {
  asking.abort();
  replace(preview, { src: newestOf(preview).src, anew });
}

addEventListener("click", ({ target }) => {
  const preview = target.matches?.("[data-retry]") && previewOf(target);
  if (!preview) return;
  retry(preview, true);
  showDelay(preview, { unanswered: false });
});

/** Asks again for what got no answer, because cfbe can be reached again. It is out of date until then. */
export function retryUnanswered() {
  answers++;
  for (const notice of document.querySelectorAll("[data-live-preview] [data-delayed]:not([hidden])")) {
    retry(previewOf(notice));
  }
}
addEventListener("online", retryUnanswered);

// A frame may have loaded before this script.
for (const { contentWindow } of frames()) contentWindow?.postMessage({ preview: "hello" }, "*");

// Shows unsaved changes of a form's settings in its preview, in the width, colors, state and language that the user chose.

import { showContrast } from "./contrast.js";
import { announce, parse } from "./document.js";
import { draw, newestOf, replace, show, swap } from "./preview_frames.js";
import { resize } from "./preview_window.js";

const DELAY_MS = 150;
/** Time without typing after which screen readers hear that the preview has changed. */
const QUIET_MS = 1500;

/** What the user has chosen, by control. Kept when saving replaces the page; the language only on the same page. */
const chosen = {
  width: "fit",
  scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  state: "empty",
  locale: undefined,
};
let localePage;
let waiting;
let announcing;
let latest = 0;

const previewOf = (element) => element.closest?.("[data-live-preview]");
const formOf = (preview) => document.getElementById(preview.dataset.livePreview);
const stageOf = (preview) => preview.querySelector("[data-stage]");
const controlOf = (name) => name.replace("preview-", "");

/**
 * Returns the settings with what is in a form now. If that is invalid, says why.
 *
 * @returns undefined also if the form has changed meanwhile
 */
async function settingsWith(preview, form) {
  const request = ++latest;
  const body = new URLSearchParams(new FormData(form));
  const response = await fetch(newestOf(preview).src, { method: "POST", body }).catch(() => undefined);
  const result = await response?.json().catch(() => undefined);
  if (!result || request !== latest) return undefined;
  showProblems(preview, form, response.ok ? [] : result.problems);
  return response.ok ? result : undefined;
}

/** Draws a preview from what is in its form now. While that is invalid, keeps it as it is. */
async function drawUnsaved(preview, form) {
  const settings = await settingsWith(preview, form);
  if (!settings) return;
  draw(preview, settings, chosen);
  showNextPage(preview, settings.nextPage);
  announceLater(showContrast(form, parse(settings.contrast)) || "Preview updated");
}

/** @param text says where visitors go after the signup; empty if they stay */
function showNextPage(preview, text) {
  const note = preview.querySelector("[data-next-page]");
  note.textContent = text;
  note.hidden = text === "";
}

function announceLater(text) {
  clearTimeout(announcing);
  announcing = setTimeout(() => announce(text), QUIET_MS);
}

function showProblems(preview, form, problems) {
  const notice = preview.querySelector("[data-problems]");
  notice.hidden = problems.length === 0;
  notice.querySelector("ul").replaceChildren(...problems.map(({ path, title, message }) => {
    const item = document.createElement("li");
    item.textContent = `${labelOf(form, path) ?? title}: ${message}`;
    return item;
  }));
  if (problems.length > 0) announceLater(notice.textContent);
}

/**
 * Returns the label of the field at a path of the input, above it or below it, after the titles of the rows it is in:
 * `group 1, Path, Value`. Undefined if the form has none.
 */
function labelOf(form, path) {
  const fields = [...form.elements].filter(({ labels }) => labels?.length > 0);
  const field = fields.find(({ name }) => {
    const own = name.replace(/^[nbloa]:/, "");
    return own === path || path.startsWith(`${own}.`) || own.startsWith(`${path}.`);
  });
  if (!field) return undefined;
  const titles = [field.labels[0].textContent.trim()];
  for (let row = field.closest("[data-row]"); row; row = row.parentElement.closest("[data-row]")) {
    titles.unshift(row.ariaLabel);
  }
  return titles.join(", ");
}

function drawSoon(preview, form) {
  clearTimeout(waiting);
  waiting = setTimeout(() => drawUnsaved(preview, form), DELAY_MS);
}

/** Draws a preview in the chosen language. @returns false if it has this language already */
function drawInLocale(preview) {
  if (chosen.locale === undefined || localePage !== location.search) return false;
  const src = new URL(newestOf(preview).src);
  if (src.searchParams.get("locale") === chosen.locale) return false;
  src.searchParams.set("locale", chosen.locale);
  replace(preview, { src: src.href });
  return true;
}

function choose({ name, value }, preview) {
  const control = controlOf(name);
  chosen[control] = value;
  if (control === "width") showWidth(preview);
  else if (control === "locale") {
    localePage = location.search;
    drawInLocale(preview);
  } else draw(preview, undefined, chosen);
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
  } else if (frame && data?.preview === "drawn" && swap(frame)) showWidth(previewOf(frame));
});

/** Shows what is to be seen in a frame that has loaded. */
async function begin(frame) {
  const preview = previewOf(frame);
  if (!preview) return show(frame, undefined, chosen);
  if (frame.dataset.next === undefined) {
    showChosen(preview);
    if (drawInLocale(preview)) return;
  }
  const settings = frame.settings ?? await unsavedSettings(preview);
  show(frame, settings, chosen);
  showWidth(preview);
}

/** Shows in a new preview what the user chose in the one before. */
function showChosen(preview) {
  for (const control of preview.querySelectorAll("[name^=preview-]")) {
    const value = chosen[controlOf(control.name)];
    if (control.type === "radio") control.checked = control.value === value;
    else if (localePage === location.search) control.value = value;
  }
  resized.observe(stageOf(preview));
}

/** Returns the settings of a page with unsaved changes, for example one that is shown again with errors, or after it was saved. */
async function unsavedSettings(preview) {
  const form = formOf(preview);
  const note = form?.querySelector("[data-unsaved]");
  const isDraft = Boolean(form?.elements.draftVersion?.value);
  return isDraft || (note && !note.hidden) ? await settingsWith(preview, form) : undefined;
}

// A frame may have loaded before this script.
for (const { contentWindow } of frames()) contentWindow?.postMessage({ preview: "hello" }, "*");

// Shows unsaved changes of a form's settings in its preview, in the width, colors, state and language that the user chose.

import { announce } from "./document.js";

const DELAY_MS = 150;
/** Time without typing after which screen readers hear that the preview has changed. */
const QUIET_MS = 1500;
/** Width of a desktop page, as in `live_preview.css`. */
const DESKTOP_WIDTH = 1000;

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
const frameOf = (preview) => preview.querySelector("iframe:not([data-next])");

/** Draws a preview from what is in its form now. While that is invalid, keeps it as it is and says why. */
async function draw(preview, form) {
  const request = ++latest;
  const body = new URLSearchParams(new FormData(form));
  const response = await fetch(frameOf(preview).src, { method: "POST", body }).catch(() => undefined);
  const result = await response?.json().catch(() => undefined);
  if (!result || request !== latest) return;
  showProblems(preview, form, response.ok ? [] : result.problems);
  if (!response.ok) return;
  show(preview, result);
  announceLater("Preview updated");
}

/** Shows settings, or the same as before, in the chosen state and colors. */
function show(preview, settings) {
  const frame = frameOf(preview);
  if (frame.dataset.kind === "popup") replaceFrame(frame, settings ?? frame.shown);
  else send(frame, settings);
}

/** Sends a preview what it shows. It has an origin of its own, which no message can name. */
function send(frame, settings) {
  const { state, scheme } = chosen;
  frame.contentWindow?.postMessage({ preview: { settings, state, scheme } }, "*");
}

/** Draws a popup in a new frame, which takes the place of the old one once it is complete, so that nothing flickers. */
function replaceFrame(frame, settings) {
  frame.parentElement.querySelector("[data-next]")?.remove();
  const next = frame.cloneNode();
  next.shown = settings;
  next.dataset.next = next.title;
  next.title = "";
  frame.after(next);
}

/** Lets a frame that has drawn its popup take the place of the one before. */
function swapFrames(next) {
  const { next: title } = next.dataset;
  if (title === undefined) return;
  for (const frame of next.parentElement.querySelectorAll("iframe")) if (frame !== next) frame.remove();
  next.title = title;
  delete next.dataset.next;
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

/** Returns the label of the field at a path of the input, above it or below it; undefined if the form has none. */
function labelOf(form, path) {
  const fields = [...form.elements].filter(({ labels }) => labels?.length > 0);
  const field = fields.find(({ name }) => {
    const own = name.replace(/^[nbloa]:/, "");
    return own === path || path.startsWith(`${own}.`) || own.startsWith(`${path}.`);
  });
  return field?.labels[0].textContent.trim();
}

function drawSoon(preview, form) {
  clearTimeout(waiting);
  waiting = setTimeout(() => draw(preview, form), DELAY_MS);
}

/** Applies the chosen width: a desktop page is scaled down to fit, as in a screenshot. */
function resize(preview) {
  const stage = preview.querySelector("[data-stage]");
  const scale = Math.min(1, stage.clientWidth / DESKTOP_WIDTH);
  stage.dataset.stage = chosen.width;
  stage.style.setProperty("--desktop-scale", String(scale));
}

/** Reloads a preview in the chosen language. @returns false if it has this language already */
function reloadInLocale(preview) {
  if (chosen.locale === undefined || localePage !== location.search) return false;
  const frame = frameOf(preview);
  const url = new URL(frame.src);
  if (url.searchParams.get("locale") === chosen.locale) return false;
  url.searchParams.set("locale", chosen.locale);
  frame.src = url;
  return true;
}

function choose({ name, value }, preview) {
  const control = controlOf(name);
  chosen[control] = value;
  if (control === "width") resize(preview);
  else if (control === "locale") {
    localePage = location.search;
    reloadInLocale(preview);
  } else show(preview);
  announceLater("Preview updated");
}

const controlOf = (name) => name.replace("preview-", "");

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

addEventListener("resize", () => document.querySelectorAll("[data-live-preview]").forEach(resize));

addEventListener("message", ({ source, data }) => {
  const frame = [...document.querySelectorAll("[data-live-preview] iframe")]
    .find(({ contentWindow }) => contentWindow === source);
  if (frame && data?.preview === "ready") begin(frame);
  else if (frame && data?.preview === "drawn") swapFrames(frame);
});

/**
 * Shows what is to be seen in a frame that has loaded. The page may have been shown again with unsaved changes, for
 * example with errors, or after it was saved.
 */
function begin(frame) {
  if (frame.dataset.next !== undefined) return send(frame, frame.shown);
  const preview = previewOf(frame);
  if (reloadInLocale(preview)) return;
  for (const control of preview.querySelectorAll("[name^=preview-]")) {
    const value = chosen[controlOf(control.name)];
    if (control.type === "radio") control.checked = control.value === value;
    else if (localePage === location.search) control.value = value;
  }
  resize(preview);
  send(frame);
  const form = formOf(preview);
  const note = form?.querySelector("[data-unsaved]");
  const isDraft = Boolean(form?.elements.draftVersion?.value);
  if (isDraft || (note && !note.hidden)) draw(preview, form);
}

// The frame of a live preview, and the next one that takes its place once it is complete.

const FORM = "form";
/** Time after which the user hears that the preview, or the settings for it, have not been loaded. */
export const MOST_WAIT_MS = 5000;

const previewOf = (frame) => frame.closest("[data-live-preview]");

/** Returns the frame that the user sees. */
export const frameOf = (preview) => preview.querySelector("iframe.preview:not([data-next])");

/** Returns the frame that is to take its place; if there is none, the one that the user sees. */
export const newestOf = (preview) => preview.querySelector("iframe[data-next]") ?? frameOf(preview);

/** Whether the previews show the form without a background of its own. */
const isOverSite = () => document.querySelector("[data-over-site]") !== null;

/** Returns what settings have for the form of a frame. */
function formIn(settings, { src }) {
  const query = new URL(src).searchParams;
  return query.has("popup")
    ? { ...settings.popup, opens: { kind: "popup" } }
    : settings.forms[query.get("form")];
}

/** Returns what the form of a frame opens as, or that it is in the page. */
const kindIn = (settings, frame) => formIn(settings, frame)?.opens?.kind ?? FORM;

/** Returns whether the form of a frame has two steps. */
export const hasSteps = (settings, frame) => formIn(settings, frame)?.steps !== undefined;

/**
 * Draws settings, or without any, what a frame has that has not drawn yet. A form that opens over the page is drawn in a
 * new frame: a page has it only once, and keeps its settings.
 *
 * @param look the state and colors that the user chose
 * @param again whether to draw the same settings again, in another look
 */
export function draw(preview, settings, look, { again = settings !== undefined } = {}) {
  const newest = newestOf(preview);
  const kind = settings ? kindIn(settings, newest) : newest.dataset.kind;
  const isNext = newest.dataset.next !== undefined;
  const isInPage = !isNext && newest.dataset.kind === FORM && kind === FORM;
  if (!newest.isTold || (again && isInPage)) show(newest, settings ?? newest.settings, look);
  else if (again) replace(preview, { settings });
}

/**
 * Tells a frame what it shows: settings, or those that its page has. Its origin of its own is one that no message can
 * name. A frame that has not loaded is told once it has.
 */
export function show(frame, settings, { state, stateOf, scheme }) {
  if (settings) {
    frame.settings = settings;
    frame.dataset.kind = kindIn(settings, frame);
  }
  if (frame.loaded === undefined) return;
  frame.isTold = true;
  // A frame has a background of its own unless it has the colors of the page around it.
  frame.style.colorScheme = scheme;
  const look = { state, stateOf, scheme, overSite: isOverSite() };
  frame.contentWindow.postMessage({ preview: { settings, ...look } }, "*");
}

/** Makes a frame one that is to take the place of the one that the user sees. */
function hide(frame) {
  frame.dataset.next = frame.title;
  frame.title = "";
  frame.inert = true;
}

const formShownIn = ({ src }) => new URL(src).searchParams.get("form");

/**
 * Replaces a part of the page. Its preview shows the frame of the one before until its own has drawn the form, where the
 * browser can move a frame without loading it again.
 */
export function replacePart(before, after) {
  const [old, next] = [before, after].map((part) =>
    part.querySelector("[data-live-preview] iframe.preview:not([data-next])")
  );
  const stage = next?.parentElement;
  if (!stage?.moveBefore || !old?.hasDrawn || formShownIn(old) !== formShownIn(next)) {
    return before.replaceWith(after);
  }
  const { typedIn } = previewOf(old).dataset;
  if (typedIn !== undefined) previewOf(next).dataset.typedIn = typedIn;
  stage.dataset.stage = old.parentElement.dataset.stage;
  stage.style.cssText = old.parentElement.style.cssText;
  hide(next);
  keepWaiting(newestOf(previewOf(old)), next);
  before.after(after);
  stage.moveBefore(old, next);
  before.remove();
}

/**
 * Adds a frame that is to take the place of the one that the user sees, so that nothing flickers.
 *
 * @param anew whether it has all the time to draw, because the user asked for it
 */
export function replace(preview, { settings, src, anew }) {
  const newest = newestOf(preview);
  const next = newest.cloneNode();
  next.src = src ?? newest.src;
  // In another language, the settings are others.
  next.settings = settings ?? (src ? undefined : newest.settings);
  next.title ||= newest.dataset.next;
  hide(next);
  if (!anew) keepWaiting(newest, next);
  newest.after(next);
  if (newest.dataset.next !== undefined) newest.remove();
  expectFrame(next);
}

/** Says so if a frame of a part of the page draws nothing for a long time. */
export function expectFrames(root) {
  for (const preview of root.querySelectorAll("[data-live-preview]")) expectFrame(newestOf(preview));
}

/** Gives a frame no more time than what is left to the one before, unless that has drawn its form. */
function keepWaiting(before, frame) {
  if (!before.hasDrawn) ({ since: frame.since, isOverdue: frame.isOverdue } = before);
}

function expectFrame(frame) {
  frame.since ??= performance.now();
  setTimeout(() => {
    frame.isOverdue = !frame.hasDrawn;
    // It may be in the page that has taken the place of its own.
    if (frame.isConnected) showDelay(previewOf(frame));
  }, frame.since + MOST_WAIT_MS - performance.now());
}

/** Says whether the preview still waits for its page, or for the settings. */
export function showDelay(preview, { unanswered = preview.unanswered } = {}) {
  preview.unanswered = unanswered;
  const notice = preview.querySelector("[data-delayed]");
  const hides = !unanswered && !newestOf(preview).isOverdue;
  if (hides && notice.contains(document.activeElement)) preview.focus();
  notice.hidden = hides;
}

/**
 * Lets a frame that has drawn its form take the place of the one before, once no click in that one is under way. One that
 * hangs does not answer: after some time, it is left in any case.
 *
 * @param leave shows the next frame of a preview
 */
export function finish(frame, leave) {
  frame.hasDrawn = true;
  frame.isOverdue = false;
  const preview = previewOf(frame);
  if (!preview) return;
  showDelay(preview);
  const shown = frameOf(preview);
  if (shown === frame) return;
  if (shown.loaded === undefined || shown.hangs) return leave(preview);
  shown.contentWindow.postMessage({ preview: "leave" }, "*");
  shown.leaving ??= setTimeout(() => {
    shown.hangs = true;
    if (shown.isConnected) leave(previewOf(shown));
  }, MOST_WAIT_MS);
}

/** Notes that a frame has said that no click in it is under way. */
export function noteLeft(frame) {
  clearTimeout(frame.leaving);
  frame.leaving = undefined;
  frame.hangs = false;
}

/** Lets the next frame take the place of the one that the user sees, if it has drawn its form. */
export function showNext(preview) {
  const frame = preview.querySelector("iframe[data-next]");
  if (!frame?.hasDrawn) return;
  const { next: title } = frame.dataset;
  // What is typed into the frame before would be lost. Another one takes its place when that ends.
  if (preview.dataset.typedIn !== undefined) return frame.remove();
  const hadFocus = document.activeElement === frameOf(preview);
  for (const other of frame.parentElement.querySelectorAll("iframe.preview")) {
    if (other !== frame) other.remove();
  }
  frame.title = title;
  frame.inert = false;
  delete frame.dataset.next;
  if (!hadFocus) return;
  frame.focus();
  frame.contentWindow.postMessage({ preview: "focus" }, "*");
}

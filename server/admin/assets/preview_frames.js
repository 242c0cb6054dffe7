// The frame of a live preview, and the next one that takes its place once it is complete.

const FORM = "form";

/** Returns the frame that the user sees. */
export const frameOf = (preview) => preview.querySelector("iframe:not([data-next])");

/** Returns the frame that is to take its place; if there is none, the one that the user sees. */
export const newestOf = (preview) => preview.querySelector("iframe[data-next]") ?? frameOf(preview);

/** Returns what the form of a frame opens as, or that it is in the page. */
function kindIn(settings, { src }) {
  const query = new URL(src).searchParams;
  return query.has("popup") ? "popup" : settings.forms[query.get("form")]?.opens?.kind ?? FORM;
}

/**
 * Draws settings, or the same as before. A form that opens over the page is drawn in a new frame: a page has it only
 * once, and keeps its settings.
 *
 * @param look the state and colors that the user chose
 */
export function draw(preview, settings, look) {
  const newest = newestOf(preview);
  const kind = settings ? kindIn(settings, newest) : newest.dataset.kind;
  const isNext = newest.dataset.next !== undefined;
  if (!isNext && newest.dataset.kind === FORM && kind === FORM) show(newest, settings, look);
  else replace(preview, { settings });
}

/**
 * Tells a frame what it shows: settings, or those that its page has. Its origin of its own is one that no message can name.
 */
export function show(frame, settings, { state, scheme }) {
  if (settings) {
    frame.settings = settings;
    frame.dataset.kind = kindIn(settings, frame);
  }
  frame.contentWindow?.postMessage({ preview: { settings, state, scheme } }, "*");
}

/** Adds a frame that is to take the place of the one that the user sees, so that nothing flickers. */
export function replace(preview, { settings, src }) {
  const newest = newestOf(preview);
  const next = newest.cloneNode();
  next.src = src ?? newest.src;
  // In another language, the settings are others.
  next.settings = settings ?? (src ? undefined : newest.settings);
  next.dataset.next = newest.dataset.next ?? newest.title;
  next.title = "";
  next.inert = true;
  newest.after(next);
  if (newest.dataset.next !== undefined) newest.remove();
}

/** Lets a frame that has drawn its form take the place of the one before. @returns whether it was the next one */
export function swap(next) {
  const { next: title } = next.dataset;
  if (title === undefined) return false;
  for (const frame of next.parentElement.querySelectorAll("iframe")) if (frame !== next) frame.remove();
  next.title = title;
  next.inert = false;
  delete next.dataset.next;
  return true;
}

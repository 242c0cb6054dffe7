// Replaces the main part of the page with that of another page from the server, and announces changes.

import { announce } from "./announcer.js";
import { addColorPickers } from "./color_picker.js";
import { prepareEditor } from "./editor.js";
import { prepareInherited } from "./own_values.js";
import { showChosen } from "./preview_choices.js";
import { expectFrames, replacePart } from "./preview_frames.js";
import { describeShortcuts } from "./shortcuts.js";

/** Path and query of the page whose main part is shown. */
export let shown = location.pathname + location.search;

/** Parses a fetched page without its `noscript` elements, which would take effect here. */
export function parse(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const part of page.querySelectorAll("noscript")) part.remove();
  return page;
}

/** Time after which a request counts as lost. It may have been received. */
export const MOST_MS = 20_000;

/** Returns the page as the server has it now, or another one; undefined if it can't be loaded. */
export async function load(url = location.href) {
  try {
    const signal = AbortSignal.timeout(MOST_MS);
    const response = await fetch(url, { headers: { accept: "text/html" }, signal });
    return response.ok ? parse(await response.text()) : undefined;
  } catch {
    return undefined;
  }
}

/** Shows the main part and the title of a parsed page, whose URL is the browser's already. The focus stays where it was. */
export function replaceMain(next) {
  const before = document.activeElement;
  const main = next.querySelector("main");
  replacePart(document.querySelector("main"), main);
  document.title = next.title;
  shown = location.pathname + location.search;
  enhance(main);
  if (!before.isConnected) counterpartOf(before, main)?.focus({ preventScroll: true });
  return main;
}

/** What offers texts, once it is loaded. */
let offers;
const loadOffers = async () => offers = await import("./needed_texts.js");

// What is pressed before waits. Otherwise it is done at once: the next key is typed into the text.
addEventListener("click", ({ target }) => {
  const pressed = target.closest?.("[data-use-text], [data-adds-text]");
  if (!pressed) return;
  if (offers) offers.useOffered(pressed);
  else loadOffers().then(({ useOffered }) => useOffered(pressed));
});

/** Opens what a button opens, beside that button. Nothing, if there is none. */
export function openPopover(popover) {
  popover?.showPopover({ source: document.querySelector(`[popovertarget="${popover.id}"]`) ?? undefined });
}

/** Adds what needs JavaScript: buttons that would do nothing without it. */
export function enhance(root) {
  for (const button of root.querySelectorAll("[data-copy], [data-shortcuts], [data-needs-script]")) {
    button.hidden = false;
  }
  if (root.querySelector("[data-passkey]")) {
    import("./passkeys.js").then(({ preparePasskeys }) => preparePasskeys(document));
  }
  addColorPickers(root);
  if (root.querySelector("[data-pick-all]")) {
    import("./pick_rows.js").then(({ preparePicking }) => preparePicking(root));
  }
  prepareInherited(root);
  if (root.querySelector("[data-needed-with]")) {
    loadOffers().then(({ showMissing }) => showMissing(root));
  }
  if (root.querySelector("[data-upload]")) {
    import("./image_fields.js").then(({ showUndescribed }) => showUndescribed(root));
  }
  if (root.querySelector("[data-past]:not([hidden])")) showTimes(root);
  showChosen(root);
  prepareBehind(root);
  expectFrames(root);
  describeShortcuts();
  prepareEditor();
  // A form may not lead to another site, a link may.
  const follow = root.querySelector("a[data-follow]");
  if (follow) location.assign(follow.href);
  watch();
}

/** Loads what says that times are over, once somebody wants to enter one, or one is. */
const showTimes = (root) => import("./past_times.js").then(({ showPast }) => showPast(root));

addEventListener("focusin", ({ target }) => {
  if (target.type === "datetime-local") showTimes(document);
});

/** Loads what shows a page of the site behind the form once somebody wants that, or has chosen one. */
function prepareBehind(root) {
  const choice = root.querySelector("[data-behind]");
  if (!choice) return;
  const load = () => import("./preview_behind.js");
  choice.addEventListener("click", ({ target }) => {
    if (target.matches("button")) load().then(({ press }) => press(target));
  });
  if (!document.cookie.includes("cfbe_behind=")) {
    return choice.addEventListener("toggle", load, { once: true });
  }
  // The form is drawn without a background at once.
  root.querySelector("[data-stage]").dataset.overSite = "";
  load().then(({ showBehind }) => showBehind(root));
}

const POLL_MS = 3000;
let polling;

/** Polls the page while it waits for something, and replaces the parts that have changed. */
function watch() {
  clearTimeout(polling);
  if (!document.querySelector("[data-watch]")) return;
  polling = setTimeout(async () => {
    // A failed request is repeated after the same time.
    if (!document.hidden) await refreshLiveParts().catch(() => {});
    watch();
  }, POLL_MS);
}

async function refreshLiveParts() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  const next = parse(await answer.text());
  for (const part of document.querySelectorAll("[data-live]")) {
    const now = next.getElementById(part.id);
    if (!now || now.dataset.live === part.dataset.live) continue;
    part.replaceWith(now);
    enhance(now);
    if (now.dataset.announce) announce(now.dataset.announce);
  }
}

/** Returns the element of the new main part that takes the focus over: with the same ID, or the same text and link. */
export function counterpartOf(before, main) {
  if (before.id) return main.querySelector(`#${CSS.escape(before.id)}`);
  return [...main.querySelectorAll(before.tagName)].find(({ textContent, href }) =>
    textContent === before.textContent && href === before.href
  );
}

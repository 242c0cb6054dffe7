// Follows links and search forms that lead to the same page, such as filters and page links, without a reload.

import { announce } from "./announcer.js";
import { counterpartOf, openPopover, parse, replaceMain, shown } from "./document.js";
import { hasUnsaved } from "./unsaved.js";

let visiting;

/**
 * Fetches a page and shows its main part. On any failure, on another kind of page, such as the sign-in page, and after an
 * update of cfbe, `reload` does the same as without JavaScript.
 *
 * @returns whether it is shown, or another one is asked for meanwhile
 */
async function visit(url, init, { reload, addToHistory, scrollTop, form }) {
  visiting?.abort();
  const { signal } = visiting = new AbortController();
  const main = document.querySelector("main");
  main.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(url, { ...init, headers: { accept: "text/html" }, signal });
    const next = parse(await response.text());
    const to = new URL(response.url);
    to.hash = url.hash;
    if (!response.ok || to.pathname !== location.pathname || !hasSameAssets(next)) {
      reload();
      return false;
    }
    if (addToHistory) addEntry(to);
    show(next, to.hash, { scrollTop, form });
    return true;
  } catch {
    if (!signal.aborted) reload();
    return signal.aborted;
  } finally {
    main.removeAttribute("aria-busy");
  }
}

function hasSameAssets(next) {
  const stampOf = (page) => page.querySelector(".frame")?.dataset.assets;
  return stampOf(next) !== undefined && stampOf(next) === stampOf(document);
}

/** Adds an entry to the history, unless it leads to the present URL. The present entry keeps its scroll position. */
function addEntry(to) {
  history.replaceState({ scrollTop: scrollY }, "");
  if (to.href !== location.href) history.pushState(null, "", to);
}

/** Shows another page. Keeps open what was open, except the filters of the form that was submitted. */
function show(next, hash, { scrollTop, form }) {
  const before = document.activeElement;
  const open = [...document.querySelectorAll("main details[open] > summary")]
    .filter((summary) => !form?.contains(summary)).map(textOf);
  const main = replaceMain(next);
  for (const summary of main.querySelectorAll("details > summary")) {
    if (open.includes(textOf(summary))) summary.parentElement.open = true;
  }
  const results = main.querySelector("[data-results]");
  const target = document.getElementById(hash.slice(1));
  const kept = counterpartOf(before, main);
  if (scrollTop === undefined && openDialog(target)) {
    // It has the focus.
  } else if (kept?.checkVisibility()) {
    kept.focus({ preventScroll: true });
    target?.scrollIntoView({ block: "nearest" });
  } else {
    (main.querySelector(".chips") ?? results ?? main).scrollIntoView();
    (results ?? main).focus({ preventScroll: true });
  }
  if (scrollTop !== undefined) scrollTo({ top: scrollTop });
  announce(results?.dataset.results ?? document.title);
}

/** Opens the dialog that a URL leads to, with the focus in it. @returns whether it does */
function openDialog(target) {
  if (!target?.popover) return false;
  openPopover(target);
  target.querySelector("input:not([type=hidden])")?.focus();
  return true;
}

const textOf = ({ textContent }) => textContent;

/** Returns whether to leave the page's unsaved changes, which a visit would discard. */
function mayDiscard() {
  return !hasUnsaved() || confirm("Your unsaved changes on this page will be lost. Continue?");
}

/**
 * Shows another URL of the same page, unless the user wants to keep changes that are not saved.
 *
 * @returns whether it is shown
 */
export async function follow(url) {
  return mayDiscard() && await visit(url, {}, { addToHistory: true, reload: () => location.assign(url) });
}

const isSamePage = ({ origin, pathname }) => origin === location.origin && pathname === location.pathname;

addEventListener("click", (event) => {
  const link = event.target.closest?.("main a[href]");
  const { button, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (!link || event.defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return;
  const url = new URL(link.href);
  const isFragment = url.hash !== "" && url.search === location.search;
  if (!isSamePage(url) || isFragment || link.target !== "" || link.hasAttribute("download")) return;
  event.preventDefault();
  follow(url);
});

addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  // Forms with `data-form` run an action.
  if (form.dataset.form !== undefined || event.defaultPrevented || !form.closest("main")) return;
  const url = new URL(form.getAttribute("action") ?? "", location);
  if (!isSamePage(url) || form.getAttribute("method") === "dialog") return;
  event.preventDefault();
  if (!mayDiscard()) return;
  const fields = new URLSearchParams(new FormData(form, submitter));
  const posts = form.getAttribute("method") === "post";
  if (!posts) url.search = fields;
  visit(url, posts ? { method: "POST", body: fields } : {}, {
    addToHistory: true,
    form,
    reload: () => HTMLFormElement.prototype.submit.call(form),
  });
});

addEventListener("popstate", ({ state }) => {
  if (location.pathname + location.search === shown) return;
  const reload = () => location.reload();
  if (hasUnsaved()) return reload();
  visit(new URL(location), {}, { reload, scrollTop: state?.scrollTop ?? 0 });
});

openDialog(document.getElementById(location.hash.slice(1)));

// Browsers fail the requests of a page that they leave.
addEventListener("beforeunload", () => visiting?.abort());

// The real widget, on a page that can send nothing: `preview_states.js` answers its requests.

import { afterClick } from "./after_click.js";
import { isTypedInto, keepFocus, keepStepFor, markElements, selectedElement } from "./preview_editing.js";
import { answer, bringInto } from "./preview_states.js";

const { base } = document.querySelector("script[data-base]").dataset;
const adminOrigin = location.origin;
const stage = document.querySelector("[data-stage]");
const { form: name } = stage.dataset;
const MOST_PAINT_MS = 150;
const again = document.querySelector("[data-again]");

/** What the widget shows: the saved settings, until the admin's page sends changed ones. */
let settings = adapted(JSON.parse(document.getElementById("settings").textContent));
let state;
let redraws = 0;

globalThis.fetch = (url, init) => answer(String(url), init, settings, state);

// While somebody types in the admin's page, the preview must not take the focus from it.
const { focus } = HTMLElement.prototype;
HTMLElement.prototype.focus = function (options) {
  if (document.hasFocus()) focus.call(this, options);
};
const { showModal } = HTMLDialogElement.prototype;
HTMLDialogElement.prototype.showModal = function () {
  this.inert = !document.hasFocus();
  showModal.call(this);
  this.inert = false;
};

addEventListener("message", ({ origin, source, data }) => {
  if (origin !== adminOrigin || source !== parent || !data?.preview) return;
  if (data.preview === "hello") return sayReady();
  if (data.preview === "leave") {
    return afterClick().then(() => parent.postMessage({ preview: "left" }, adminOrigin));
  }
  if (data.preview === "focus") {
    const element = selectedElement();
    // The admin's page has given this one the focus, even if the browser has not said so yet.
    return void (element && focus.call(element, { preventScroll: true }));
  }
  const { settings: changed, state: wanted, stateOf, scheme, overSite } = data.preview;
  document.documentElement.style.colorScheme = scheme;
  document.documentElement.toggleAttribute("data-over-site", Boolean(overSite));
  if (changed) settings = adapted(changed);
  const isChosen = keepStepFor(stateOf);
  const isSame = !changed && !isChosen && wanted === state;
  state = wanted;
  if (!isSame) draw();
});

/** Returns whether the form opens over the page, instead of being in it. */
const isOverPage = () => "popup" in stage.dataset || Boolean(settings.forms[name]?.opens);

/**
 * Returns the settings with only this form opening over the page, without the rules for that, without the pages that
 * follow a signup, and with the browser's names of countries.
 */
function adapted(shown) {
  const names = new Intl.DisplayNames([shown.locale], { type: "region" });
  for (const country of shown.countries ?? []) country.label = names.of(country.value);
  for (const each of [shown, shown.popup, ...Object.values(shown.forms)]) delete each.successUrl;
  const { opens } = shown.forms[name] ?? {};
  delete shown.popup.rules;
  delete shown.opening;
  if (opens) {
    shown.opening = [name];
    opens.excludePaths = [];
  }
  return shown;
}

async function draw() {
  document.documentElement.lang = settings.locale;
  again.hidden = true;
  await widget;
  const height = await (isOverPage() ? openOverPage() : redraw());
  markElements();
  showResult();
  await painted();
  parent.postMessage({ preview: "drawn", height }, adminOrigin);
}

/** Waits until the page is painted. Outside of the visible part of the admin's page, it is not. */
function painted() {
  const isPainted = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return Promise.race([isPainted, new Promise((resolve) => setTimeout(resolve, MOST_PAINT_MS))]);
}

/**
 * Brings the message in place of the form into view, or the first wrong field. The widget does so for visitors, but a form
 * that is drawn again is hidden meanwhile.
 */
function showResult() {
  const root = stage.querySelector("cfbe-form:not([hidden])")?.shadowRoot;
  root?.querySelector(".success > .done > div, [aria-invalid=true]")?.scrollIntoView({ block: "nearest" });
}

/** Loads the widget, in which nothing opens by itself. */
function loadWidget() {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = `${base}/cfbe.js`;
    script.dataset.manual = "";
    script.dataset.storage = "none";
    script.addEventListener("load", resolve);
    document.head.append(script);
  });
}

/** Stops the animation with which a form opens: that of the page before was open already. */
const still = new CSSStyleSheet();
still.replaceSync("*, ::backdrop { animation: none !important }");

/**
 * Opens the form. A page has it only once, so the admin's page loads this page again for every change.
 *
 * @returns the height of all of a popup
 */
async function openOverPage() {
  stage.replaceChildren();
  const shown = new Promise((resolve) => addEventListener("cfbe-show", resolve, { once: true }));
  await cfbe.open(name);
  const { target } = await shown;
  target.shadowRoot.adoptedStyleSheets.push(still);
  await bringInto(state, target.shadowRoot.querySelector("cfbe-form"), settings);
  return target.shadowRoot.querySelector("dialog")?.scrollHeight;
}

/** Shows the form in the page again. The widget keeps settings by locale, so each redraw has a locale of its own. */
async function redraw() {
  const before = stage.querySelector("cfbe-form:not([hidden])");
  for (const form of stage.querySelectorAll("cfbe-form[hidden]")) form.remove();
  const next = document.createElement("cfbe-form");
  if (name !== undefined) next.setAttribute("form", name);
  next.setAttribute("locale", `${settings.locale}-x${++redraws}`);
  next.setAttribute("loading", "eager");
  next.hidden = true;
  const ready = new Promise((resolve) => next.addEventListener("cfbe-ready", resolve));
  stage.append(next);
  cfbe.scan(next);
  await ready;
  await bringInto(state, next, settings);
  // A click is lost whose element is gone when the pointer is released.
  await afterClick();
  if (!next.isConnected) return;
  if (isTypedInto()) return next.remove();
  // The new form replaces the old one once it is complete, so that nothing flickers.
  const focusSame = keepFocus(before);
  next.hidden = false;
  before?.remove();
  markElements();
  focusSame();
}

addEventListener("cfbe-close", ({ target }) => {
  const sheets = target.shadowRoot.adoptedStyleSheets;
  target.shadowRoot.adoptedStyleSheets = sheets.filter((sheet) => sheet !== still);
  again.hidden = false;
  again.focus();
});
again.addEventListener("click", () => {
  again.hidden = true;
  if (isOverPage()) cfbe.open(name);
  else redraw();
});

/** The admin's page may hear this twice, so it can tell by the time whether this page was loaded again. */
function sayReady() {
  parent.postMessage({ preview: "ready", loaded: performance.timeOrigin }, adminOrigin);
}

const widget = loadWidget();
sayReady();

// The real widget, on a page that can send nothing: `preview_states.js` answers its requests.

import { answer, bringInto } from "./preview_states.js";

const { base } = document.querySelector("script[data-base]").dataset;
const adminOrigin = location.origin;

/** What the widget shows: the saved settings, until the admin's page sends changed ones. */
let settings = withoutRules(JSON.parse(document.getElementById("settings").textContent));
let state = "empty";
let redraws = 0;
const openButton = document.querySelector("[data-open]");

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
  const { settings: changed, state: wanted, scheme } = data.preview;
  document.documentElement.style.colorScheme = scheme;
  if (changed) settings = withoutRules(changed);
  const isSame = !changed && wanted === state;
  state = wanted;
  if (openButton) openPopup();
  else if (!isSame) redrawForms();
});

/** Returns the settings without what opens and hides forms. */
function withoutRules(shown) {
  delete shown.popup.rules;
  delete shown.opening;
  for (const form of Object.values(shown.forms)) delete form.off;
  return shown;
}

let loading;
/** Loads the widget, once. */
function loadWidget() {
  return loading ??= new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = `${base}/cfbe.js`;
    script.dataset.storage = "none";
    script.addEventListener("load", resolve);
    document.head.append(script);
  });
}

/** Opens the popup. A page has only one, so the admin's page loads this page again for every change. */
async function openPopup() {
  const shown = new Promise((resolve) => addEventListener("cfbe-show", resolve, { once: true }));
  document.documentElement.lang = settings.locale;
  await loadWidget();
  await cfbe.open();
  const popup = (await shown).target;
  // The popup of the page before was open already.
  for (const animation of popup.shadowRoot.getAnimations()) animation.finish();
  await bringInto(state, popup.shadowRoot.querySelector("cfbe-form"), settings);
  parent.postMessage({ preview: "drawn" }, adminOrigin);
}

/** Shows the forms again. The widget keeps settings by locale, so each redraw has a locale of its own. */
function redrawForms() {
  const locale = `${settings.locale}-x${++redraws}`;
  document.documentElement.lang = settings.locale;
  for (const form of document.querySelectorAll("cfbe-form")) {
    if (form.hidden) {
      form.remove();
      continue;
    }
    // The new form replaces the old one once it is complete, so that nothing flickers.
    const next = form.cloneNode();
    next.setAttribute("locale", locale);
    next.hidden = true;
    next.addEventListener("cfbe-ready", async () => {
      await bringInto(state, next, settings);
      if (!next.isConnected) return;
      next.hidden = false;
      form.remove();
    });
    form.after(next);
  }
}

if (openButton) openButton.addEventListener("click", () => loadWidget().then(() => cfbe.open()));
else await loadWidget();
parent.postMessage({ preview: "ready" }, adminOrigin);

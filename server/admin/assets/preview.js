// The real widget, on a page that sends and stores nothing.
const { base } = document.querySelector("script[data-base]").dataset;

addEventListener("cfbe-beforesubmit", (event) => event.preventDefault(), true);

/** Settings with changes that are not saved, in place of those that the widget would fetch. */
let unsaved;
let redraws = 0;
let popup;

const fetchSaved = fetch;
globalThis.fetch = (url, init) =>
  unsaved && String(url).includes("/cfbe.json?")
    ? Promise.resolve(Response.json(unsaved))
    : fetchSaved(url, init);

addEventListener("message", ({ origin, data }) => {
  // Tools in the browser send messages of their own.
  if (origin !== location.origin || !data?.previewSettings) return;
  unsaved = data.previewSettings;
  redraw();
});
addEventListener("cfbe-show", ({ target }) => popup = target);

/** Shows the forms again. The widget keeps settings by locale, so each redraw has a locale of its own. */
function redraw() {
  const locale = `${unsaved.locale}-x${++redraws}`;
  document.documentElement.lang = unsaved.locale;
  document.documentElement.setAttribute("locale", locale);
  popup?.shadowRoot.querySelector("cfbe-form").setAttribute("locale", locale);
  for (const form of document.querySelectorAll("cfbe-form")) {
    if (form.hidden) {
      form.remove();
      continue;
    }
    // The new form replaces the old one once it is complete, so that nothing flickers.
    const next = form.cloneNode();
    next.setAttribute("locale", locale);
    next.hidden = true;
    next.addEventListener("cfbe-ready", () => {
      next.hidden = false;
      form.remove();
    });
    form.after(next);
  }
}

// The browser may have cached the settings for a minute. The preview shows what was saved just now.
await fetch(`${base}/cfbe.json?locale=${document.documentElement.lang}`, { cache: "reload" }).catch(() => {});

const script = document.createElement("script");
script.src = `${base}/cfbe.js`;
script.dataset.storage = "none";
document.head.append(script);

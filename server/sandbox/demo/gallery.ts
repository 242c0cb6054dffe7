import { html } from "hono/html";
import { htmlDocument } from "../../platform/pages/html_document.ts";
import { LOCALES } from "../../../shared/texts/locales.ts";

export interface GalleryView {
  baseUrl: string;
  /** Options selected in the URL. Unknown ones are ignored. */
  query: Record<string, string>;
}

const THEMES = ["light", "dark"] as const;

const endonym = (tag: string) => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;

/** Options by URL parameter. The first option is the default. */
const CHOICES: Record<string, { label: string; options: Record<string, string> }> = {
  state: {
    label: "State",
    // `assets/gallery.js` implements each state.
    options: {
      idle: "Idle",
      busy: "Pending",
      slip: "Misspelled domain",
      errors: "Field errors",
      rate_limited: "Rate limited",
      rejected: "Server error",
      offline: "Offline",
      pending: "Success",
      already_active: "Already subscribed",
    },
  },
  fields: { label: "Fields", options: { few: "Email only", all: "All fields" } },
  lang: {
    label: "Language",
    options: Object.fromEntries(LOCALES.map((tag) => [tag, endonym(tag)])),
  },
};

const LAYOUTS = [
  {
    source: "shortcode",
    name: "Inline",
    description: "Within content: at the end of an article or in a footer.",
  },
  { source: "block", name: "Block", description: "A full-width section." },
  { source: "promo", name: "Promo", description: "A dismissible bar. Once closed, it stays closed." },
];

/** `assets/gallery.js` adds a form of each kind to the settings, by these names. */
const KINDS = [
  { name: "slide-in", title: "Slide-in", description: "A box in a lower corner. The page stays usable." },
  {
    name: "bar-top",
    title: "Top bar",
    description: "Over the top of the window. Moves nothing on the page.",
  },
  { name: "bar-bottom", title: "Bottom bar", description: "The same over the bottom of the window." },
];

/** Renders every form in both themes, in the selected state. */
export function galleryPage({ baseUrl, query }: GalleryView) {
  const chosen = Object.fromEntries(
    Object.entries(CHOICES).map(([name, { options }]) => {
      const wanted = query[name] ?? "";
      return [name, Object.hasOwn(options, wanted) ? wanted : Object.keys(options)[0]!];
    }),
  );
  const lang = chosen.lang!;
  return htmlDocument({
    locale: lang,
    title: "Gallery · Every form in every state",
    head: html`
      <link rel="icon" href="${baseUrl}/demo/assets/icon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="${baseUrl}/demo/assets/tokens.css">
      <link rel="stylesheet" href="${baseUrl}/demo/assets/gallery.css">
      <script src="${baseUrl}/demo/assets/gallery.js"></script>
      <script async src="${baseUrl}/cfbe.js" data-storage="none"></script>
    `,
    body: html`
      <header lang="en" dir="ltr">
        <h1>Gallery</h1>
        <p>In the idle state the forms are live. In all other states the responses are simulated.</p>
        ${Object.keys(CHOICES).map((name) => choice(name, chosen))}
      </header>
      <main>
        ${LAYOUTS.map(({ source, name, description }) =>
          section(
            source,
            name,
            description,
            (theme) => html`<cfbe-form source="${source}" theme="${theme}" loading="eager"></cfbe-form>`,
          )
        )}
        ${section(
          "popup",
          "Popup",
          "A dialog over the page. On phones, a sheet at the bottom of the screen.",
          (theme) => html`<button data-cfbe-open data-theme="${theme}">Open in ${theme} mode</button>`,
        )}
        ${KINDS.map(({ name, title, description }) =>
          section(
            name,
            title,
            description,
            (theme) =>
              html`
                <button data-cfbe-open="${name}"
                  data-theme="${theme}">Open the ${title.toLowerCase()} in ${theme} mode</button>
              `,
          )
        )}
      </main>
    `,
  });
}

/** Renders the options as links rather than a menu, so that all are visible and one click away. */
function choice(name: string, chosen: Record<string, string>) {
  const { label, options } = CHOICES[name]!;
  return html`<nav aria-label="${label}"><span aria-hidden="true">${label}</span> <ul>
    ${
    Object.entries(options).map(([value, text]) => {
      const current = chosen[name] === value
        ? html`
          aria-current="true"
        `
        : "";
      const lang = name === "lang"
        ? html`
          lang="${value}" dir="auto"
        `
        : "";
      const address = new URLSearchParams({ ...chosen, [name]: value });
      return html`<li><a href="?${address}"${current}${lang}>${text}</a></li>`;
    })
  }
  </ul></nav>`;
}

function section(id: string, name: string, description: string, form: (theme: string) => unknown) {
  return html`<section id="${id}" aria-labelledby="${id}-name">
    <div class="caption" lang="en" dir="ltr"><h2 id="${id}-name">${name}</h2> <p>${description}</p></div>
    ${THEMES.map((theme) => html`<div class="stage ${theme}">${form(theme)}</div>`)}
  </section>`;
}

import { html } from "hono/html";
import { directionOf, LOCALES } from "../../shared/texts/locales.ts";

export interface GalleryView {
  baseUrl: string;
  /** What was chosen, by the address; anything unknown counts as not chosen. */
  query: Record<string, string>;
}

const THEMES = ["light", "dark"] as const;

const endonym = (tag: string) => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;

/** By name of the parameter: what a person may choose, the first unless chosen otherwise. */
const CHOICES: Record<string, { label: string; options: Record<string, string> }> = {
  state: {
    label: "State",
    // What each means to the forms is in `assets/gallery.js`.
    options: {
      idle: "Idle",
      busy: "Pending",
      slip: "Mistyped domain",
      errors: "Field errors",
      rate_limited: "Rate limited",
      rejected: "Server error",
      offline: "Offline",
      pending: "Success",
      already_active: "Already subscribed",
    },
  },
  fields: { label: "Fields", options: { few: "Address alone", all: "All there are" } },
  lang: {
    label: "Language",
    options: Object.fromEntries(Object.keys(LOCALES).map((tag) => [tag, endonym(tag)])),
  },
};

const LAYOUTS = [
  {
    source: "shortcode",
    name: "Inline",
    says: "In the text of a page: at the end of an article, in a footer.",
  },
  { source: "block", name: "Block", says: "A section of its own, as wide as the page lets it be." },
  { source: "promo", name: "Promo", says: "A strip that a visitor can close, and that stays closed." },
];

/** Every form in both themes, and how each looks in the state that is chosen. */
export function galleryPage({ baseUrl, query }: GalleryView) {
  const chosen = Object.fromEntries(
    Object.entries(CHOICES).map(([name, { options }]) => {
      const wanted = query[name] ?? "";
      return [name, Object.hasOwn(options, wanted) ? wanted : Object.keys(options)[0]!];
    }),
  );
  const lang = chosen.lang!;
  return html`
    <!doctype html>
    <html lang="${lang}" dir="${directionOf(lang)}">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>Gallery · Every form in every state</title>
        <link rel="icon" href="${baseUrl}/demo/assets/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="${baseUrl}/demo/assets/tokens.css">
        <link rel="stylesheet" href="${baseUrl}/demo/assets/gallery.css">
        <script src="${baseUrl}/demo/assets/gallery.js"></script>
        <script async src="${baseUrl}/cfbe.js" data-storage="none"></script>
      </head>
      <body>
        <header lang="en" dir="ltr">
          <h1>Gallery</h1>
          <p>Idle, the forms are real: what is sent arrives. In any other state they send themselves, and this page answers.</p>
          ${Object.keys(CHOICES).map((name) => choice(name, chosen))}
        </header>
        <main>
          ${LAYOUTS.map(({ source, name, says }) =>
            section(
              source,
              name,
              says,
              (theme) => html`<cfbe-form source="${source}" theme="${theme}" loading="eager"></cfbe-form>`,
            )
          )}
          ${section(
            "popup",
            "Popup",
            "A dialog over the page; on a phone a sheet that leaves the page in sight.",
            (theme) => html`<button data-cfbe-open data-theme="${theme}">Open it, ${theme}</button>`,
          )}
        </main>
      </body>
    </html>
  `;
}

/** Links, and no menu: all that can be chosen is in sight, and one press away. */
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

function section(id: string, name: string, says: string, form: (theme: string) => unknown) {
  return html`<section id="${id}" aria-labelledby="${id}-name">
    <div class="caption" lang="en" dir="ltr"><h2 id="${id}-name">${name}</h2> <p>${says}</p></div>
    ${THEMES.map((theme) => html`<div class="stage ${theme}">${form(theme)}</div>`)}
  </section>`;
}

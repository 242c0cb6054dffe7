import { type ComponentChildren, h, type VNode } from "preact";
import { htmlDocument } from "../../platform/pages/html_document.tsx";
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
export function galleryPage({ baseUrl, query }: GalleryView): string {
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
    head: (
      <>
        <link rel="icon" href={`${baseUrl}/demo/assets/icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${baseUrl}/demo/assets/tokens.css`} />
        <link rel="stylesheet" href={`${baseUrl}/demo/assets/gallery.css`} />
        <script src={`${baseUrl}/demo/assets/gallery.js`} />
        <script async src={`${baseUrl}/cfbe.js`} data-storage="none" />
      </>
    ),
    body: (
      <>
        <header lang="en" dir="ltr">
          <h1>Gallery</h1>
          <p>In the idle state the forms are live. In all other states the responses are simulated.</p>
          {Object.keys(CHOICES).map((name) => choice(name, chosen))}
        </header>
        <main>
          {LAYOUTS.map(({ source, name, description }) =>
            section(source, name, description, (theme) => h("cfbe-form", { source, theme, loading: "eager" }))
          )}
          {section(
            "popup",
            "Popup",
            "A dialog over the page. On phones, a sheet at the bottom of the screen.",
            (theme) => opener("", theme, `Open in ${theme} mode`),
          )}
          {KINDS.map(({ name, title, description }) =>
            section(name, title, description, (theme) =>
              opener(name, theme, `Open the ${title.toLowerCase()} in ${theme} mode`))
          )}
        </main>
      </>
    ),
  });
}

/** Renders the options as links rather than a menu, so that all are visible and one click away. */
function choice(name: string, chosen: Record<string, string>): VNode {
  const { label, options } = CHOICES[name]!;
  return (
    <nav aria-label={label}>
      <span aria-hidden="true">{label}</span>
      <ul>
        {Object.entries(options).map(([value, text]) => (
          <li key={value}>
            <a
              href={`?${new URLSearchParams({ ...chosen, [name]: value })}`}
              {...chosen[name] === value && { "aria-current": "true" }}
              {...name === "lang" && { lang: value, dir: "auto" }}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const opener = (form: string, theme: string, text: string): VNode => (
  <button type="button" data-cfbe-open={form} data-theme={theme}>{text}</button>
);

const section = (
  id: string,
  name: string,
  description: string,
  form: (theme: string) => ComponentChildren,
): VNode => (
  <section id={id} aria-labelledby={`${id}-name`}>
    <div class="caption" lang="en" dir="ltr">
      <h2 id={`${id}-name`}>{name}</h2>
      <p>{description}</p>
    </div>
    {THEMES.map((theme) => <div key={theme} class={`stage ${theme}`}>{form(theme)}</div>)}
  </section>
);

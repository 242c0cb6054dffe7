import type { ComponentChildren } from "preact";
import { render } from "preact-render-to-string";
import { directionOf } from "../../../shared/texts/locales.ts";

interface HtmlDocument {
  locale: string;
  title: string;
  /** Links to style sheets, icons and scripts. */
  head: ComponentChildren;
  body: ComponentChildren;
}

/** Renders a complete page in light or dark mode, which search engines do not index. */
export function htmlDocument({ locale, title, head, body }: HtmlDocument): string {
  return "<!doctype html>" + render(
    <html lang={locale} dir={directionOf(locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        {head}
      </head>
      <body>{body}</body>
    </html>,
  );
}

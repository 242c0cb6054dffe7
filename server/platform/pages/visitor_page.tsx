import type { ComponentChildren } from "preact";
import { htmlDocument } from "./html_document.tsx";
import { PAGE_ASSETS } from "./own_page.ts";

/** Renders a page for visitors, such as a form or a result. It works without JavaScript. */
export function visitorPage(
  { baseUrl, locale, title, head, body }: {
    baseUrl: string;
    locale: string;
    title: string;
    /** Further links to style sheets. */
    head?: ComponentChildren;
    body: ComponentChildren;
  },
): string {
  return htmlDocument({
    locale,
    title,
    head: (
      <>
        <link rel="stylesheet" href={`${baseUrl}${PAGE_ASSETS}/tokens.css`} />
        <link rel="stylesheet" href={`${baseUrl}${PAGE_ASSETS}/visitor_page.css`} />
        {head}
      </>
    ),
    body: <main>{body}</main>,
  });
}

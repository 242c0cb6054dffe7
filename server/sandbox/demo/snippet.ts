import { reservedHeightRule, type ReservedHeights } from "../../../shared/reserved_height.ts";

/** Texts on the page that replace the form's own. */
export interface SnippetTexts {
  heading: string;
  text: string;
}

/** Returns the CSS that reserves the height of a form. @param form name of the form in the admin */
export function formRule(form: string, heights: ReservedHeights): string {
  return reservedHeightRule(`cfbe-form[form="${form}"]`, heights);
}

/**
 * Returns the complete code that embeds a form in a page.
 *
 * @param form name of the form in the admin
 */
export function snippet(
  baseUrl: string,
  form: string,
  { heading, text }: SnippetTexts,
  heights: ReservedHeights,
): string {
  return `<script async src="${baseUrl}/cfbe.js"></script>
<style>
${formRule(form, heights)}
</style>
<cfbe-form form="${form}"
  heading="${heading}"
  text="${text}">
  <a href="${baseUrl}/form/${form}">Subscribe</a>
</cfbe-form>`;
}

/** Texts on the page that replace the form's own. */
export interface SnippetTexts {
  heading: string;
  text: string;
}

/**
 * Returns the complete code that embeds a form in a page.
 *
 * @param form name of the form in the admin
 */
export function snippet(baseUrl: string, form: string, { heading, text }: SnippetTexts): string {
  return `<script async src="${baseUrl}/cfbe.js"></script>
<cfbe-form form="${form}"
  heading="${heading}"
  text="${text}">
  <a href="${baseUrl}/form/${form}">Subscribe</a>
</cfbe-form>`;
}

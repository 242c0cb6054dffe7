/** What the page puts in place of the form's own texts. */
export interface Texts {
  heading: string;
  text: string;
}

/**
 * What a page has to paste: the whole of it.
 *
 * @param form name of the form, as the admin calls it
 */
export function snippet(baseUrl: string, form: string, { heading, text }: Texts): string {
  return `<script async src="${baseUrl}/cfbe.js"></script>
<cfbe-form form="${form}"
  heading="${heading}"
  text="${text}">
  <a href="${baseUrl}/form/${form}">Subscribe</a>
</cfbe-form>`;
}

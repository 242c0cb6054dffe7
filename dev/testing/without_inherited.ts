/** Returns the HTML of a page without the disabled groups that show what a form inherits. */
export function withoutInherited(html: string): string {
  const start = /<fieldset[^>]*data-inherited[^>]*>/.exec(html);
  if (!start) return html;
  let depth = 0;
  for (const { 0: tag, index } of html.slice(start.index).matchAll(/<fieldset\b|<\/fieldset>/g)) {
    depth += tag.startsWith("</") ? -1 : 1;
    const end = start.index + index + tag.length;
    if (depth === 0) return html.slice(0, start.index) + withoutInherited(html.slice(end));
  }
  throw new Error("A group has no end");
}

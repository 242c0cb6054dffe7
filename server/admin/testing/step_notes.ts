/** Returns the notes of a page's checklist by the name of the step: `STATE: TEXT`, without markup. */
export function stepNotes(html: string): Record<string, string> {
  const steps = html.matchAll(/<li id="step-(\w+)" class="step (\w+)"[^]*?<p class="note">([^]*?)<\/p>/g);
  return Object.fromEntries(
    [...steps].map(([, name, state, note]) => [name, `${state}: ${note!.replace(/<[^>]*>/g, "")}`]),
  );
}

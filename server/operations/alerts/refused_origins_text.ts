/** More sites are not named: any script can send any origin. */
const NAMED = 3;

/**
 * Returns what is wrong, and what to do, when pages of other sites asked for a form.
 *
 * @param origins at least one
 */
export function refusedOriginsText(origins: readonly string[]): { what: string; todo: string } {
  const named = origins.slice(0, NAMED).join(", ");
  const more = origins.length > NAMED ? ` and ${origins.length - NAMED} more` : "";
  return {
    what: `A page on ${named}${more} asked for a form, but is not in your list of allowed origins.`,
    todo: "If it is your page, add its origin on the General page. Otherwise, no action is needed.",
  };
}

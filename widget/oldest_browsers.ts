/**
 * The oldest browsers in which the widget and the pages for visitors work completely (docs/embed.md). In older ones the
 * link to the form's page stays.
 */
export const OLDEST_BROWSERS = { chrome: "109", edge: "109", firefox: "115", safari: "16.4" };

/** Returns the browsers as targets of a build. */
export const targetOf = (browsers: Record<string, string>): string[] =>
  Object.entries(browsers).map(([name, version]) => name + version);

/** A comment on lines of its own. None of the served scripts has a template or a text over lines that look like one. */
const COMMENT = /^[ \t]*(\/\/.*|\/\*[^]*?\*\/[ \t]*)\n/gm;
const INDENTATION = /^[ \t]+/gm;

/** Returns a script without the comments on lines of their own, and without indentation. */
export const withoutComments = (script: string): string =>
  script.replace(COMMENT, "").replace(INDENTATION, "");

/** CSS selectors that a page can be searched for quickly, whoever wrote them. */

const CHARACTER = String.raw`[\w-]|[^\x00-\x7f]|\\[^\n\da-fA-F]`;
const IDENTIFIER = String.raw`(?:--|-?(?:[a-zA-Z_]|[^\x00-\x7f]|\\[^\n\da-fA-F]))(?:${CHARACTER})*`;
const VALUE = String.raw`"[^"\\\n]*"|'[^'\\\n]*'|${IDENTIFIER}`;
const ATTRIBUTE = String.raw`\[\s*${IDENTIFIER}\s*(?:[~|^$*]?=\s*(?:${VALUE})\s*[is]?\s*)?\]`;
const SIMPLE = String.raw`[#.]${IDENTIFIER}|${ATTRIBUTE}`;
const TYPE = String.raw`\*|${IDENTIFIER}`;

const COMPOUND_PART = new RegExp(`${TYPE}|${SIMPLE}|:not\\(\\s*(?:${TYPE}|${SIMPLE})\\s*\\)`, "uy");
const TYPE_PART = new RegExp(TYPE, "uy");
const COMBINATOR = /\s*[,>]\s*|\s+/y;

/** Most compound selectors, such as `div.bar`, that spaces and `>` may join. */
export const MAX_COMPOUNDS = 3;
/** Most selectors that commas may join. */
export const MAX_SELECTORS = 10;

/**
 * Returns whether a selector consists of types, IDs, classes, attributes and `:not()` of one of them, joined by
 * commas, spaces and `>`. Others could block a page for seconds: `:has()` and `:nth-child(… of …)` search the page
 * again for each element, and each `~` multiplies the work.
 *
 * @param selector trimmed, not empty
 */
export function isSimpleSelector(selector: string): boolean {
  let compounds = 0;
  let selectors = 1;
  let isStart = true;
  for (let at = 0; at < selector.length;) {
    const combinator = isStart ? null : matchAt(COMBINATOR, selector, at);
    if (combinator !== null) {
      if (combinator.includes(",")) {
        compounds = 0;
        selectors++;
      }
      at += combinator.length;
      isStart = true;
      continue;
    }
    const part = matchAt(COMPOUND_PART, selector, at);
    // A type can only start a compound: `.bar*` is invalid.
    if (part === null || !isStart && matchAt(TYPE_PART, selector, at) !== null) return false;
    compounds += isStart ? 1 : 0;
    if (compounds > MAX_COMPOUNDS || selectors > MAX_SELECTORS) return false;
    isStart = false;
    at += part.length;
  }
  return !isStart;
}

function matchAt(pattern: RegExp, text: string, index: number): string | null {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0] ?? null;
}

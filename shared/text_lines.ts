/**
 * Widths of characters, in em: averages over each class in DejaVu Sans, rounded up. It is wider than the system fonts
 * of Windows, macOS, Android and iOS.
 */
const CHARACTER_WIDTHS: readonly (readonly [characters: RegExp, em: number])[] = [
  [/[\sfijlrtI.,:;!'’|()[\]-]/, 0.36],
  [/[mwMW@%…—]/, 0.98],
  [/[a-z]/, 0.61],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u, 1],
  [/\p{Lu}/u, 0.72],
  [/./su, 0.65],
];
const SPACE = 0.36;

/** A text whose width is known. */
export interface MeasuredText {
  /** Upper bounds for the widths of its words, in em of a regular font. Empty if there is no text. */
  words: readonly number[];
  /** Upper bound for the width of the whole text on one line, in em of a regular font. */
  width: number;
}

/** Measures a text without a browser. @param scale width of the font, relative to DejaVu Sans */
export function measureText(text: string, scale = 1): MeasuredText {
  const words = text === "" ? [] : text.split(/\s+/).map((word) => scale * wordWidth(word));
  return { words, width: words.reduce((sum, word) => sum + (sum && SPACE) + word, 0) };
}

function wordWidth(word: string): number {
  let width = 0;
  for (const character of word) {
    width += CHARACTER_WIDTHS.find(([characters]) => characters.test(character))![1];
  }
  return width;
}

/**
 * Returns the number of lines of a text that breaks at spaces, and inside words that are longer than a line.
 *
 * @param lineWidth in em of a regular font
 */
export function linesOf({ words }: MeasuredText, lineWidth: number): number {
  if (words.length === 0) return 0;
  const room = Math.max(lineWidth, 1);
  let lines = 1;
  let used = 0;
  for (const word of words) {
    if (used > 0 && used + SPACE + word > room) {
      lines++;
      used = 0;
    }
    const fullLines = Math.max(Math.ceil(word / room) - 1, 0);
    lines += fullLines;
    used += (used && SPACE) + word - fullLines * room;
  }
  return lines;
}

/**
 * Returns forms, or their texts in a language, that take nearly all the space of a tab: their texts can't be compressed
 * much.
 */
export function fullForms(): { name: string; text: string }[] {
  const characters = () =>
    crypto.getRandomValues(new Uint16Array(1_000)).map((value) => 0x4e00 + value % 0x4000);
  return Array.from(
    { length: 82 },
    (_, n) => ({ name: `form-${n}`, text: String.fromCharCode(...characters()) }),
  );
}

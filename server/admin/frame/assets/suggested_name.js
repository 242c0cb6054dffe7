// Suggests the name of a form's field, in the browser and on the server.

const LONGEST = 32;

/**
 * Returns a name for a field with this label, such as `job_title` for “Job title”: lower-case letters, digits and _.
 * Empty for a label without Latin letters.
 *
 * @param {string} label
 * @param {readonly string[]} taken names that other fields have
 * @returns {string}
 */
export function suggestedName(label, taken) {
  const plain = label.replaceAll(/\]\([^)]*\)/g, "").normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const words = plain.toLowerCase().replaceAll("ß", "ss").match(/[a-z0-9]+/g) ?? [];
  while (/^\d/.test(words[0] ?? "")) words.shift();
  let name = "";
  for (const word of words) {
    const longer = name === "" ? word.slice(0, LONGEST) : `${name}_${word}`;
    if (longer.length > LONGEST) break;
    name = longer;
  }
  if (!taken.includes(name)) return name;
  for (let number = 2;; number++) {
    const other = `${name.slice(0, LONGEST - 3)}_${number}`;
    if (!taken.includes(other)) return other;
  }
}

// Suggests the names of fields, the tags of interests and the IDs of forms, in the browser and on the server.

/**
 * Returns a name for a field with this label, such as `job_title` for “Job title”: lower-case letters, digits and _.
 * Empty for a label without Latin letters.
 *
 * @param {string} label
 * @param {readonly string[]} taken names that other fields have
 * @returns {string}
 */
export function suggestedName(label, taken) {
  const words = wordsOf(label.replaceAll(/\]\([^)]*\)/g, ""));
  while (/^\d/.test(words[0] ?? "")) words.shift();
  return unused(joined(words, "_", 32), taken, "_", 32);
}

/**
 * Returns a tag for an interest with this label, such as `new-products` for “New products”.
 *
 * @param {string} label
 * @param {readonly string[]} taken tags that other interests have
 * @returns {string}
 */
export function suggestedTag(label, taken) {
  const words = wordsOf(label);
  const any = words.length > 0 ? words : label.match(/[\p{L}\p{N}]+/gu) ?? [];
  return unused(joined(any, "-", 60), taken, "-", 60);
}

/**
 * Returns an ID for a form with this title, such as `autumn-club` for “Autumn club”, or `autumn-club-2` if that one is taken.
 *
 * @param {string} title
 * @param {readonly string[]} taken IDs that other forms have
 * @returns {string}
 */
export function suggestedFormId(title, taken) {
  return unused(joined(wordsOf(title), "-", 60) || "form", taken, "-", 60);
}

const wordsOf = (text) => {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.replaceAll("ß", "ss").replaceAll(/['’]/g, "").match(/[a-z0-9]+/g) ?? [];
};

/** Joins as many words as fit. */
function joined(words, by, longest) {
  let name = "";
  for (const word of words) {
    const longer = name === "" ? word.slice(0, longest) : `${name}${by}${word}`;
    if (longer.length > longest) break;
    name = longer;
  }
  return name;
}

function unused(name, taken, by, longest) {
  if (!taken.includes(name)) return name;
  for (let number = 2;; number++) {
    const other = `${name.slice(0, longest - 1 - String(number).length)}${by}${number}`;
    if (!taken.includes(other)) return other;
  }
}

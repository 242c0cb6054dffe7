// What is kept from a page to the one that a link in it leads to.

const keyOf = (name) => `cfbe-next:${name}`;

export const keepForNext = (name, value) => sessionStorage.setItem(keyOf(name), JSON.stringify(value));

/** Returns what the page before has kept, once. */
export function takeKept(name) {
  const kept = sessionStorage.getItem(keyOf(name));
  sessionStorage.removeItem(keyOf(name));
  return JSON.parse(kept) ?? undefined;
}

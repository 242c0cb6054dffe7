/** Returns a 32-bit hash of a text, with a multiplication and a shift per character, as in MurmurHash3 (Appleby). */
export function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = Math.imul(hash ^ hash >>> 16 ^ character.charCodeAt(0), 0x85ebca6b);
  return hash >>> 0;
}

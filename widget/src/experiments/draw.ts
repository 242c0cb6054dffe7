/**
 * Returns the variant of a session: the first one whose `until` is above a number from 0 to 1 that follows from the seed.
 *
 * @param seed differs for each session and experiment; the same seed always returns the same variant
 */
export function drawVariant<Variant extends { until: number }>(
  seed: string,
  variants: readonly Variant[],
): Variant {
  // A multiplication and a shift per character, as in MurmurHash3 (Appleby).
  let hash = 0;
  for (const character of seed) hash = Math.imul(hash ^ hash >>> 16 ^ character.charCodeAt(0), 0x85ebca6b);
  return variants.find(({ until }) => hash >>> 0 < until * 2 ** 32)!;
}

import { hashOf } from "../../../shared/text_hash.ts";

/**
 * Returns the variant of a session: the first one whose `until` is above a number from 0 to 1 that follows from the seed.
 *
 * @param seed differs for each session and experiment; the same seed always returns the same variant
 */
export function drawVariant<Variant extends { until: number }>(
  seed: string,
  variants: readonly Variant[],
): Variant {
  const hash = hashOf(seed);
  return variants.find(({ until }) => hash < until * 2 ** 32)!;
}

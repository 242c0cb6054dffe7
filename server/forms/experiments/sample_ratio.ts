/** Probability, over the whole experiment, that views in the right proportion are reported as a mismatch. */
const ALPHA = 0.01;
/** Views that the prior distribution is worth: how far from the weights it expects a mismatch to be. */
const PRIOR_VIEWS = 100;

/**
 * Returns whether the views of the variants do not have the proportion of their weights. Then something other than the
 * draw decides which sessions are counted, and the comparison is worth nothing.
 *
 * Compares the weights with a Dirichlet distribution around them. The ratio of the two likelihoods is a martingale if the
 * weights are right, so that it ever exceeds 1 / `ALPHA` with a probability of at most `ALPHA` (Ville): Lindon and Malek,
 * "Anytime-Valid Inference For Multinomial Count Data" (NeurIPS 2022, section 3). So the result holds however often
 * somebody looks.
 */
export function hasWrongRatio(variants: readonly { weight: number; seen: number }[]): boolean {
  const weights = variants.reduce((sum, { weight }) => sum + weight, 0);
  const views = variants.reduce((sum, { seen }) => sum + seen, 0);
  let logRatio = logGamma(PRIOR_VIEWS) - logGamma(PRIOR_VIEWS + views);
  for (const { weight, seen } of variants) {
    const share = weight / weights;
    const prior = share * PRIOR_VIEWS;
    logRatio += logGamma(prior + seen) - logGamma(prior) - seen * Math.log(share);
  }
  return logRatio > -Math.log(ALPHA);
}

/** Returns the logarithm of the gamma function of a positive number (Stirling's series, with an error below 1e-9). */
function logGamma(x: number): number {
  let shift = 0;
  for (; x < 10; x++) shift += Math.log(x);
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5);
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series - shift;
}

// @ts-check
/** @typedef {import("../journey.ts").JourneyFacts} Facts */

/** Public URL of the service. This file is served at `{base}/demo/assets/`. */
export const base = new URL("../../..", import.meta.url).href.replace(/\/$/, "");

export const SUBSCRIBE = `${base}/wp-json/cfbe/v1/subscribe`;

/** Milliseconds to add to this browser's clock to get the server's, accurate to the duration of one request. */
let skew = 0;
const SLACK_MS = 1000;

/**
 * Returns the journey of the newest signup since a time.
 *
 * @param {number} since Unix milliseconds of this browser
 * @returns {Promise<Facts | null>}
 */
export async function journey(since) {
  const from = Math.max(0, Math.floor(since + skew - SLACK_MS));
  const answer = await fetch(`${base}/demo/journey.json?since=${from}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  /** @type {{ now: number, facts: Facts | null }} */
  const { now, facts } = await answer.json();
  skew = now - Date.now();
  return facts;
}

/** @param {number} ms @returns {Promise<void>} */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

import type { Ask } from "../host/context.ts";

/** For all tries together: no visitor waits longer without a word. */
const TIMEOUT_MS = 15_000;
/** @param base address of the server's root */
export const askAt = (base: string): Ask => async (path, init) => {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // Between tries: the server may be being replaced by its next version.
  const pauses = [500, 1500, 4000];
  for (;;) {
    const pause = pauses.shift();
    try {
      const response = await fetch(base + path, { cache: "no-store", ...init, signal });
      const json = await response.json().catch(() => {});
      // What is no JSON was not said by our server, but by a gateway in front of it.
      if (json || !pause || response.status < 500) return [response.status, json];
    } catch (error) {
      // Silence has lasted long enough by then, and there is no use in waiting without a network.
      if (!pause || signal.aborted || !navigator.onLine) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
};

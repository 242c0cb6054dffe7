import { fileURLToPath } from "node:url";
import { startChild } from "./child.ts";

/** The stand-in for the provider's API, in a process of its own. */
export interface ProviderDouble extends AsyncDisposable {
  url: string;
  /** Resolves once `count` visitors are subscribed in total and no more requests come. */
  delivered(count: number): Promise<void>;
  /** Returns the visitors subscribed since the last call, and when each arrived in Unix milliseconds. */
  arrivals(): Promise<[visitor: number, at: number][]>;
}

interface State {
  subscribed: number;
  /** How long ago the latest request came, in milliseconds. */
  idleMs: number;
  /** Its method and path. */
  latest: string;
}

const POLL_MS = 100;
const QUIET_MS = 500;
const LONGEST_MS = 180_000;

export async function startProviderDouble(): Promise<ProviderDouble> {
  const child = await startChild<{ url: string }>([
    fileURLToPath(new URL("provider_double.ts", import.meta.url)),
  ]);
  return {
    url: child.ready.url,
    async delivered(count) {
      const end = Date.now() + LONGEST_MS;
      for (;;) {
        const { subscribed, idleMs, latest } = await child.ask<State>("state");
        if (subscribed >= count && idleMs >= QUIET_MS) return;
        if (Date.now() > end) {
          throw new Error(
            `After ${LONGEST_MS / 1000} s, ${subscribed} of ${count} signups were delivered. ` +
              `The latest request came ${idleMs} ms ago: ${latest}`,
          );
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
    arrivals: () => child.ask("arrivals"),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

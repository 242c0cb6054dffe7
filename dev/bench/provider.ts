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
      for (const end = Date.now() + LONGEST_MS; Date.now() < end;) {
        const { subscribed, idleMs } = await child.ask<{ subscribed: number; idleMs: number }>("state");
        if (subscribed >= count && idleMs >= QUIET_MS) return;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      throw new Error(`Not all of ${count} signups were delivered within ${LONGEST_MS / 1000} s`);
    },
    arrivals: () => child.ask("arrivals"),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

import { AsyncLocalStorage } from "node:async_hooks";

const ids = new AsyncLocalStorage<string>();

/** Runs `work` for a request. Each log line that it writes has the ID of the request, as the response does. */
export function withRequestId<T>(id: string, work: () => T): T {
  return ids.run(id, work);
}

/** Returns the ID of the request that the current code runs for, if any. */
export function currentRequestId(): string | undefined {
  return ids.getStore();
}

/** Solves the challenge that comes with a form token during an attack. */
import type { FormChallenge } from "../../../shared/contract.ts";
import { searchNumber } from "./search_number.ts";

/** Numbers to try before the page may respond to the visitor: some milliseconds on a slow phone. */
const CHUNK = 2_000;

/** A worker that takes longer does not run: some browsers report no error where a policy forbids it. */
const LONGEST_MS = 10_000;

/**
 * Solves a challenge in a worker, or between the page's own work where its policy or the browser allows none.
 *
 * @returns the token with its proof: what the server takes as `cfbe_token`
 * @throws {Error} if the challenge has no solution
 */
export async function solve(token: string, { maxnumber, ...challenge }: FormChallenge): Promise<string> {
  const number = await searchInWorker(challenge, maxnumber).catch(() => searchInChunks(challenge, maxnumber));
  if (number === undefined) throw new Error("no solution");
  return `${token}.${btoa(JSON.stringify({ ...challenge, number }))}`;
}

type Searched = Pick<FormChallenge, "salt" | "challenge">;

/** Rejects if there can be no worker, or if it does not answer. */
function searchInWorker({ salt, challenge }: Searched, until: number): Promise<number | undefined> {
  // A worker of another origin is not allowed, so its code is in the page. It uses nothing outside of the function.
  const source = `onmessage=e=>postMessage((${searchNumber})(...e.data))`;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  let worker: Worker | undefined;
  return new Promise<number | undefined>((resolve, reject) => {
    worker = new Worker(url);
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(event);
    };
    worker.postMessage([salt, challenge, 0, until]);
    setTimeout(reject, LONGEST_MS);
  }).finally(() => {
    worker?.terminate();
    URL.revokeObjectURL(url);
  });
}

async function searchInChunks({ salt, challenge }: Searched, until: number): Promise<number | undefined> {
  for (let from = 0; from <= until; from += CHUNK) {
    const found = searchNumber(salt, challenge, from, Math.min(until, from + CHUNK - 1));
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

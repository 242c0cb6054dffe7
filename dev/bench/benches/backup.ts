import type { Bench } from "../bench.ts";
import { openLoop } from "../load.ts";
import { startProviderDouble } from "../provider.ts";
import { openStoredRecords, startServer } from "../server.ts";
import { postSignup, visitor } from "../signups.ts";
import { percentile } from "../statistics.ts";

/** A backup of many records, read to its end. */
export const backup: Bench = {
  rounds: 1,
  async open(checkout, { records }) {
    const stored = await openStoredRecords(checkout, records);
    return {
      async measure() {
        const ms = await stored.ask<number>("backup");
        return { "backup.perSecond": records / ms * 1000 };
      },
      [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
    };
  },
};

const API_TOKEN = "a-token-for-benchmarks-0123456789";
const PER_SECOND = 60;
const ALONE_MS = 10_000;
/** Requests are sent in parts, so that the load ends soon after the backup. */
const PART = PER_SECOND;

/** Signups at a fixed rate, with delivery, while the running program makes a backup of many records, and without one. */
export const backupUnderLoad: Bench = {
  rounds: 3,
  async open(checkout, { records }) {
    await using stack = new AsyncDisposableStack();
    const provider = stack.use(await startProviderDouble());
    const env = { CFBE_API_TOKEN: API_TOKEN };
    const server = stack.use(await startServer(checkout, { provider: provider.url, records, env }));
    const { url } = server;
    const token = await server.oldEnoughToken();
    let visitors = records;
    const next = () => postSignup(visitor(++visitors), token);

    /** Sends signups until the work is done, and returns the 99th percentile of their response times. */
    async function during(work: Promise<unknown>): Promise<number> {
      let open = true;
      const ended = work.finally(() => open = false);
      ended.catch(() => {});
      const responseTimes: number[] = [];
      while (open) {
        const sent = await openLoop({ url, perSecond: PER_SECOND, count: PART, next });
        responseTimes.push(...sent.map(({ dueAt, respondedAt }) => respondedAt - dueAt));
      }
      await ended;
      return percentile(responseTimes, 0.99);
    }

    /** @returns its rows, and how long it took in milliseconds */
    async function download(): Promise<number> {
      const startedAt = performance.now();
      const response = await fetch(`${url}/ops/backup`, {
        headers: { Authorization: `Bearer ${API_TOKEN}` },
      });
      if (!response.ok) throw new Error(`The backup: ${response.status} ${await response.text()}`);
      for await (const _ of response.body!) { /* Only its time counts. */ }
      return performance.now() - startedAt;
    }

    await during(download());
    const running = stack.move();
    return {
      async measure() {
        const alone = await during(new Promise((resolve) => setTimeout(resolve, ALONE_MS)));
        const backup = download();
        const meanwhile = await during(backup);
        return {
          "backup.aloneP99": alone,
          "backup.meanwhileP99": meanwhile,
          "backup.meanwhilePerSecond": records / await backup * 1000,
        };
      },
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    };
  },
};

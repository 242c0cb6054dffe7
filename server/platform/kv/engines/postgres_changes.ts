import type postgres from "postgres";
import type { Clock } from "../../deps.ts";
import type { KvChanges } from "../port.ts";
import { isLost } from "./postgres_pool.ts";

/** The same for all installations in one database: one that hears of another's change only reads once more. */
const CHANNEL = "cfbe";
/** A notification that takes longer does not arrive. In milliseconds. */
const ARRIVES_MS = 5_000;
/** How often to try whether notifications arrive: a connection that is dead may look open. In milliseconds. */
const TRY_EVERY_MS = 60_000;
/** How long to wait before connecting again after a lost connection; doubles until one is made. In milliseconds. */
const RECONNECT = { first: 100, cap: 5_000 };

interface Deps {
  /** Names this process in what it sends. */
  id: string;
  clock: Pick<Clock, "sleep">;
  /** Opens a connection, which calls these functions. */
  open(on: { onnotify(channel: string, payload: string): void; onclose(): void }): postgres.Sql;
  /** Runs a statement on another connection. */
  run(statement: string): Promise<unknown>;
}

/**
 * Creates the announcements of changes by `NOTIFY`. They are statements of their own after a commit, because commits with
 * a `NOTIFY` hold a lock that all of them share, and because some servers know none (CockroachDB).
 *
 * A server, or a pooler before it, may accept `LISTEN` and deliver nothing (PgBouncer in its mode `transaction`). So each
 * connection first sends a notification to itself, and again each minute.
 */
export function createPostgresChanges({ id, clock, open, run }: Deps): KvChanges {
  let arrive: boolean | undefined;
  const send = (payload: string) => run(`NOTIFY ${CHANNEL}, '${payload}'`);

  /** Listens until the connection is lost or given up, or nothing arrives. */
  async function listen(heard: () => void, signal: AbortSignal): Promise<"lost" | "silent"> {
    const lost = new AbortController();
    const until = AbortSignal.any([signal, lost.signal]);
    let arrived = () => {};
    const sql = open({
      onclose: () => lost.abort("lost"),
      onnotify(_, payload) {
        const [sender, isTrial] = payload.split(" ");
        if (sender === id) arrived();
        else if (!isTrial) heard();
      },
    });
    /** Resolves to whether the work was done in time. */
    async function inTime(work: Promise<unknown>): Promise<boolean> {
      const done = new AbortController();
      const late = clock.sleep(ARRIVES_MS, AbortSignal.any([until, done.signal])).then(() => false);
      return await Promise.race([work.then(() => true), late]).finally(() => done.abort("done"));
    }
    try {
      if (!await inTime(sql.unsafe(`LISTEN ${CHANNEL}`))) return until.aborted ? "lost" : "silent";
      // Whatever happened before this moment was missed.
      heard();
      while (!until.aborted) {
        const echo = new Promise<void>((resolve) => arrived = resolve);
        if (!await inTime(Promise.all([echo, send(`${id} trial`)]))) {
          return until.aborted ? "lost" : "silent";
        }
        arrive = true;
        await clock.sleep(TRY_EVERY_MS, until);
      }
      return "lost";
    } catch (error) {
      return isLost(error) ? "lost" : "silent";
    } finally {
      void sql.end({ timeout: 0 });
    }
  }

  async function follow(heard: () => void, signal: AbortSignal): Promise<void> {
    let waitMs = RECONNECT.first;
    while (!signal.aborted) {
      let connected = false;
      const end = await listen(() => (connected = true, heard()), signal);
      const isUseless = end === "silent" && !arrive;
      if (end === "silent") arrive = false;
      waitMs = connected ? RECONNECT.first : Math.min(RECONNECT.cap, waitMs * 2);
      await clock.sleep(isUseless ? TRY_EVERY_MS : waitMs, signal);
    }
  }

  return {
    follow: (heard, signal) => void follow(heard, signal),
    announce: () => send(id).then(() => {}, () => {}),
    arrive: () => arrive,
  };
}

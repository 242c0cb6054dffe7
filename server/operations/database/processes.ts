import { VERSION } from "../../../shared/version.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { listReadable } from "../../platform/kv/bad_rows.ts";
import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";

/** A process that uses the database. Contains no secret: only keyed hashes, to compare them. */
export interface ProcessRow {
  v: 1;
  host: string;
  pid: number;
  version: string;
  /** Unix milliseconds. */
  startedAt: number;
  /** By how many milliseconds its clock is ahead of that of the database's server, if that is known. */
  aheadMs?: number;
  /** Fingerprints of the salts that it accepts; the first is the one that it signs with. */
  salts: string[];
  /** Fingerprint of its API token. */
  token: string;
}

/** The processes that share the database. */
export interface Processes {
  /** Registers this process for two and a half minutes, if several can share the database. Never rejects. */
  register(): Promise<void>;
  /** Removes this process, because it ends. Never rejects. */
  leave(): Promise<void>;
  /** Returns those that are registered. One whose row can't be read is left out. */
  read(): Promise<ProcessRow[]>;
}

/** One that has died disappears after this time. Each registers again once a minute. In milliseconds. */
const LASTS_MS = 150_000;
/** If the server takes longer to say its time, it is not known exactly enough. In milliseconds. */
const EXACT_MS = 300;

const processKey = (id: string): Key<ProcessRow> => typed(keys.process(id));

/** @param self the machine and the process, for people */
export function createProcesses({ kv, clock, random, log, keyring, config, self }: {
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  keyring: Keyring;
  config: Pick<Config, "apiToken" | "deploy">;
  self: { host: string; pid: number };
}): Processes {
  const startedAt = clock.now();
  const key = processKey(random.uuid());
  // The instances of an app on Deno Deploy have the same variables, version and clock. The database may be moved.
  const isShared = () => kv.engine.shared && !config.deploy;
  let left = false;

  async function aheadMs(): Promise<number | undefined> {
    if (!kv.now) return undefined;
    const before = clock.now();
    const theirs = await kv.now();
    const after = clock.now();
    return after - before > EXACT_MS ? undefined : Math.round((before + after) / 2 - theirs);
  }

  return {
    async register() {
      if (!isShared() || left) return;
      try {
        const ahead = await aheadMs();
        const row: ProcessRow = {
          ...{ v: 1, ...self, version: VERSION, startedAt },
          ...(ahead !== undefined && { aheadMs: ahead }),
          salts: keyring.fingerprints(),
          token: keyring.identify("cfbe/fingerprint", `token ${config.apiToken}`),
        };
        await kv.set(key, row, { expireIn: LASTS_MS });
      } catch (error) {
        log.error("processes.not_registered", { error });
      }
    },
    async leave() {
      if (!isShared() || left) return;
      left = true;
      // If it fails, the row expires.
      await kv.delete(key).catch(() => {});
    },
    async read() {
      if (!isShared()) return [];
      const rows = listReadable<ProcessRow>(kv, { prefix: keys.processAll() });
      return (await Array.fromAsync(rows)).flatMap(({ value }) => value ?? []);
    },
  };
}

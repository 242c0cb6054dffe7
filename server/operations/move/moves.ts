import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { Config } from "../../platform/config/config.ts";
import { StartError } from "../../platform/config/start_error.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { seal, unseal } from "../../platform/keys/seal.ts";
import { copySecrets } from "../../platform/keys/secrets_file.ts";
import { aroundCalls } from "../../platform/kv/around_calls.ts";
import { withoutPassword } from "../../platform/kv/address.ts";
import type { FileReport } from "../../platform/kv/database_file.ts";
import { DatabaseMoved, type Gate, gateOf } from "../../platform/kv/gate.ts";
import { keys } from "../../platform/kv/keys.ts";
import { isMissing } from "../../platform/kv/missing_file.ts";
import { embeddedFile, type OpenedKv } from "../../platform/kv/open.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { createSwitchable } from "../../platform/kv/switchable.ts";
import { cancelMove } from "./cancel.ts";
import type { MoveResult } from "./close.ts";
import { CopyDiffers, finish } from "./close.ts";
import { type DryRun, dryRun } from "./dry_run.ts";
import { moveDatabase, TooManyChanges } from "./move.ts";
import { MoveRefused } from "./plan.ts";
import type { MoveProgress } from "./rows.ts";
import { openSide, TargetFailed } from "./sides.ts";
import { stoppedText } from "./texts.ts";
import { MoveLost } from "./write.ts";

/** A move has failed or was refused. The message says what to do. */
export class MoveFailed extends Error {
  override readonly name = "MoveFailed";
}

export interface Moved extends Partial<MoveResult> {
  /** The new database, without a password. */
  to: string;
  /** The files with salt and API token that the new address needs. */
  secrets: string[];
}

export interface PlannedMove extends DryRun {
  /** The new database, without a password. */
  to: string;
}

/** The database of a process, which may be moved to another one while the process runs. */
export interface Moves {
  /** Goes on with the new database after a move. */
  readonly kv: Kv;
  /** Returns whether this process uses another database than the one it was started with. */
  hasMoved(): boolean;
  /** Returns the file of the database in use; undefined if it is not a file. */
  file(): string | undefined;
  /** Looks at that file. Reports nothing if there is none. */
  inspect(): Promise<FileReport>;
  /**
   * Moves the database, or goes on with a move that was interrupted, and uses the new one from then on.
   *
   * @param to an address like `CFBE_KV`
   * @throws {MoveFailed}
   */
  move(
    to: string,
    options?: { signal?: AbortSignal; progress?: (progress: MoveProgress) => void },
  ): Promise<Moved>;
  /**
   * Returns what `move` would do, and changes nothing.
   *
   * @throws {MoveFailed} with what prevents the move
   */
  dryRun(to: string): Promise<PlannedMove>;
  /** Cancels a move that has begun. @returns the new database, and whether it was emptied. @throws {MoveFailed} */
  cancel(): Promise<{ to: string; emptied: boolean }>;
  /** Notices moves of other processes, and ends what a process that has died left behind. Call it every minute. */
  check(): Promise<void>;
  close(): Promise<void>;
}

interface MovesDeps {
  database: OpenedKv;
  /** Read before its secrets are filled in. */
  config: Pick<Config, "kv" | "salt" | "apiToken">;
  open: (address: string) => Promise<OpenedKv>;
  keyring: () => Keyring;
  log: () => Log;
  random: Random;
  /** The time of day. */
  clock: Pick<Clock, "now">;
  /** A clock that is never set. */
  steadyClock: Clock;
  /** See `MoveOptions.rest`. */
  rest: number;
}

/** Another process closes the database for a few seconds only. After this time, it has died. */
export const CLOSED_TOO_LONG_MS = 15_000;
/** After an error, the new database is not opened again before. */
const FOLLOW_AGAIN_MS = 1_000;

export function createMoves(deps: MovesDeps): Moves {
  const { open, random, clock, steadyClock } = deps;
  const { kv: from, ...secrets } = deps.config;
  const inFiles = (["salt", "token"] as const)
    .filter((name) => secrets[name === "salt" ? "salt" : "apiToken"] === undefined);
  const opened = [deps.database];
  const current = () => opened.at(-1)!;
  let address = from;
  const switchable = createSwitchable(deps.database.kv);
  let running = false;
  let closing: { versionstamp: string | null; since: number } | undefined;
  let following: Promise<void> | undefined;
  let followedAt = -Infinity;

  function use(next: OpenedKv, at: string, { to }: Gate): void {
    opened.push(next);
    address = at;
    switchable.replace(next.kv);
    deps.log().warn("database.moved", {
      message: `The data has moved to ${to}. Set CFBE_KV to that database before the next start.`,
    });
  }

  /** Uses the database that another process has moved the data to. */
  async function follow(gate: Gate): Promise<void> {
    if (running || steadyClock.now() - followedAt < FOLLOW_AGAIN_MS) return;
    followedAt = steadyClock.now();
    const to = await unseal(deps.keyring(), gate.sealed);
    if (to === undefined) {
      throw new Error("the address of the new database can't be decrypted with this salt");
    }
    const next = await open(to);
    try {
      const side = await openSide(next.raw);
      if (side.gate.row?.id === gate.id) await finish(side);
      use(next, to, gate);
    } catch (error) {
      await next.close();
      throw error;
    }
  }

  async function check(): Promise<void> {
    const side = await openSide(current().raw);
    const { row, check } = side.gate;
    if (row?.phase === "moved") {
      await (following ??= follow(row).finally(() => following = undefined));
    } else if (row?.phase === "closing" && !running) {
      if (closing?.versionstamp !== check.versionstamp) {
        closing = { versionstamp: check.versionstamp, since: steadyClock.now() };
      } else if (steadyClock.now() - closing.since >= CLOSED_TOO_LONG_MS) {
        await side.setGate({ ...row, phase: "copying" }).catch((error) => {
          // Another check, maybe of another process, has just opened it.
          if (!(error instanceof MoveLost)) throw error;
        });
      }
    }
  }

  const noticing = aroundCalls(switchable.kv, (call, kind) =>
    kind === "read" ? call : call.catch((error) => {
      if (error instanceof DatabaseMoved) {
        check().catch((reason) => deps.log().error("database.move_not_followed", { error: reason }));
      }
      throw error;
    }));

  /** Runs one command at a time. */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    if (running) throw new MoveFailed("A move is running already.");
    running = true;
    try {
      return await work();
    } catch (error) {
      throw failureOf(error);
    } finally {
      running = false;
    }
  }

  /** @throws {MoveRefused} if no data can be moved there */
  function requireMovable(to: string, name: string): void {
    if (to === ":memory:") throw new MoveRefused("A database in memory is lost when its process ends.");
    if (to === address && to === from) throw new MoveRefused(`The data is in ${name} already.`);
  }

  return {
    kv: noticing,
    hasMoved: () => opened.length > 1,
    file: () => embeddedFile(address),
    inspect: async () => await current().inspect?.() ?? {},
    move: (to, { signal, progress } = {}) =>
      alone(async () => {
        const name = withoutPassword(to);
        requireMovable(to, name);
        // An earlier command was interrupted after the move.
        if (to === address) return { to: name, secrets: [] };
        const copied = from === undefined ? [] : await copySecrets(from, to, inFiles);
        const target = await open(to);
        try {
          const begin = {
            id: random.uuid(),
            to: name,
            sealed: await seal(deps.keyring(), random, to),
            at: clock.now(),
          };
          const result = await moveDatabase({
            source: current().raw,
            target: target.raw,
            begin,
            clock: steadyClock,
            rest: deps.rest,
            signal,
            ...(progress && { progress }),
          });
          const { row } = gateOf(await current().raw.get(keys.move()));
          use(target, to, row!);
          return { to: name, secrets: copied, ...result };
        } catch (error) {
          await target.close();
          throw error;
        }
      }),
    dryRun: (to) =>
      alone(async () => {
        const name = withoutPassword(to);
        requireMovable(to, name);
        const file = embeddedFile(to);
        const target = file !== undefined && await isMissing(file) ? undefined : await open(to);
        try {
          const options = { to: name, clock: steadyClock, rest: deps.rest };
          return { to: name, ...await dryRun(current().raw, target?.raw, options) };
        } finally {
          await target?.close();
        }
      }),
    cancel: () =>
      alone(() =>
        cancelMove(current().raw, async ({ sealed }) => {
          const address = await unseal(deps.keyring(), sealed);
          return address === undefined ? undefined : await open(address).catch(() => undefined);
        })
      ),
    check,
    async close() {
      await Promise.all(opened.map((database) => database.close()));
    },
  };
}

function failureOf(error: unknown): unknown {
  if (error instanceof MoveFailed || error instanceof MoveRefused || error instanceof StartError) {
    return new MoveFailed(error.message);
  }
  if (
    error instanceof MoveLost || error instanceof TargetFailed || error instanceof CopyDiffers ||
    error instanceof TooManyChanges
  ) return new MoveFailed(stoppedText(error.message));
  return error;
}

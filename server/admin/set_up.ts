import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Clock, Random } from "../deps.ts";
import { secretsEqual } from "../keys/keyring.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import type { UsersRow } from "./users.ts";

/** The one-time link by which the first admin is made, as it is kept: never the link itself. */
export interface SetUpRow {
  hash: string;
  at: number;
}

const TOKEN_BYTES = 32;
const SET_UP_MAX_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Make a new set-up link, which ends every earlier one.
 *
 * @returns its token; undefined when there is somebody who can sign in already
 */
export function openSetUp(
  { kv, clock, random, fixedPassword }: {
    kv: Deno.Kv;
    clock: Clock;
    random: Random;
    fixedPassword: string | undefined;
  },
): Promise<string | undefined> {
  const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString("base64url");
  return cas(kv, [keys.adminUsers()], ([entry]: Deno.KvEntryMaybe<UsersRow>[]) => {
    const row: UsersRow = structuredClone(entry!.value ?? { v: 1, users: {} });
    const needed = fixedPassword === undefined && Object.keys(row.users).length === 0;
    if (needed) row.setUp = { hash: digest(token), at: clock.now() };
    else if (row.setUp) delete row.setUp;
    else return { value: undefined };
    return { value: needed ? token : undefined, write: (tx) => tx.set(keys.adminUsers(), row) };
  }, { clock, random });
}

/** Whether a link is the one that was made last, and not too old. */
export function setUpUsable(row: SetUpRow | undefined, token: string, now: number): boolean {
  return row !== undefined && secretsEqual(digest(token), row.hash) && now - row.at < SET_UP_MAX_AGE_MS;
}

function digest(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("base64url");
}

import type { Clock, Random } from "../../platform/deps.ts";
import { secretsEqual } from "../../platform/keys/keyring.ts";
import { cas } from "../../platform/kv/cas.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { linkHash, newLinkToken } from "./link_token.ts";
import { type SetUpRow, usersKey, type UsersRow } from "./users.ts";

const SET_UP_MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** A row holds 64 KiB. If a host starts cfbe more often in a day, the oldest links become invalid. */
const MAX_LINKS = 100;

/**
 * Creates a set-up link. It works once and for a day. Links of earlier starts stay valid: some hosts start the program at
 * every visit, which must not invalidate a link that someone is using.
 *
 * @returns its token, or undefined if someone can sign in already
 */
export function openSetUp(
  { kv, clock, random, fixedPassword }: {
    kv: Kv;
    clock: Clock;
    random: Random;
    fixedPassword: string | undefined;
  },
): Promise<string | undefined> {
  const token = newLinkToken(random);
  return cas(kv, { users: usersKey() }, ({ users }) => {
    const row: UsersRow = structuredClone(users.value ?? { v: 1, users: {} });
    const needed = fixedPassword === undefined && Object.keys(row.users).length === 0;
    if (needed) row.setUps = [...fresh(row.setUps, clock.now()), { hash: linkHash(token), at: clock.now() }];
    else if (row.setUps) delete row.setUps;
    else return { value: undefined };
    return { value: needed ? token : undefined, write: (tx) => tx.set(usersKey(), row) };
  }, { clock, random });
}

const isOpen = ({ at }: SetUpRow, now: number): boolean =>
  now - at < SET_UP_MAX_AGE_MS && !isFarAhead(at, now);

/** Returns whether `token` belongs to a link that is less than a day old. */
export function setUpUsable(rows: readonly SetUpRow[] | undefined, token: string, now: number): boolean {
  return (rows ?? []).some((row) => secretsEqual(linkHash(token), row.hash) && isOpen(row, now));
}

/** Returns the links that are still valid, with room for one more. */
function fresh(rows: readonly SetUpRow[] = [], now: number): SetUpRow[] {
  return rows.filter((row) => isOpen(row, now)).slice(1 - MAX_LINKS);
}

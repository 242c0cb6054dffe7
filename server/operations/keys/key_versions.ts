import { Buffer } from "node:buffer";
import type { Clock, Random } from "../../platform/deps.ts";
import { fingerprintOf, type Keyring } from "../../platform/keys/keyring.ts";
import { declarationOf, purposesOf } from "../../platform/keys/purposes.ts";
import { allSalts, type Salts } from "../../platform/keys/salt_file.ts";
import { gateOf } from "../../platform/kv/gate.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { ProviderTable } from "../../providers/module.ts";
import { saltsKey } from "../database/salts.ts";
import { ORDERS, resealAgain } from "./reseal_orders_job.ts";
import type { Need } from "./sealed.ts";

/** A salt, from which the keys of all kinds are derived. Contains no secret. */
export interface KeyVersion {
  /** The beginning of its fingerprint. */
  id: string;
  /** Whether it signs and encrypts, only verifies and decrypts, or neither of them. */
  state: "current" | "previous" | "revoked";
  /** Whether it names what outlives a record. */
  isIdentity: boolean;
  /** When it first signed, Unix milliseconds; absent for salts of earlier versions of cfbe. */
  since?: number;
  /** What only it decrypts. Empty for the current one. */
  needs: Need[];
}

/** Signatures of previous salts that are still valid. */
export interface OpenSignatures {
  what: string;
  /** When the last of them ends, Unix milliseconds; absent if only a revocation ends them. */
  until?: number;
}

export interface ListedKeys {
  /** The current one first. */
  versions: KeyVersion[];
  open: OpenSignatures[];
}

/**
 * What a change needs that cfbe can't make by itself, because salts are in variables, or in files of several machines.
 * `identity`: the salt has to stay in `CFBE_SALT_IDENTITY`.
 */
export type ByHand = { byHand: true; shared: boolean; identity: boolean };

/** Why a key was not changed. */
export class KeyRefused extends Error {
  override readonly name = "KeyRefused";
  constructor(
    readonly code: "unknown_key" | "current_key" | "rotated" | "needed" | "moving",
    message: string,
  ) {
    super(message);
  }
}

export interface KeyVersions {
  list(): Promise<ListedKeys>;
  /**
   * Signs and encrypts with a new salt from now on.
   *
   * @param from ID of the current one, so that a repeated request rotates once
   * @throws {KeyRefused}
   */
  rotate(from: string): Promise<{ id: string } | ByHand>;
  /**
   * Ends a previous salt: what it signed is refused, and only names are still derived from it.
   *
   * @throws {KeyRefused} also while something can only be decrypted with it
   */
  revoke(id: string): Promise<{ id: string } | ByHand>;
}

/** Where the salts of a process come from. */
export interface SaltSource {
  /** Those that the process uses. */
  current(): Salts;
  /** Whether the process uses another database than the one it was started with. */
  hasMoved(): boolean;
  /** The salts in the file next to an embedded database; undefined if they come from elsewhere. */
  stored(): Promise<Salts | undefined>;
  /** Replaces that file, and then uses its salts. Safe to repeat. */
  write(salts: Salts): Promise<void>;
}

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  source: SaltSource;
  providers?: ProviderTable;
}

const ID_CHARACTERS = 10;
const SALT_BYTES = 32;

/** Returns the ID of a fingerprint. */
const idOf = (fingerprint: string) =>
  Buffer.from(fingerprint, "base64url").toString("hex").slice(0, ID_CHARACTERS);
const versionOf = (salt: string) => idOf(fingerprintOf(salt));

/** Returns a new salt, as `CFBE_SALT` has it. */
export function newSalt(random: Random): string {
  return Buffer.from(random.bytes(SALT_BYTES)).toString("base64url");
}

/** Returns which signatures of a previous salt are still valid, if the current one is used since `since`. */
function openSignatures(since: number | undefined, now: number): OpenSignatures[] {
  return purposesOf("signing").flatMap((purpose) => {
    const { what, openMs } = declarationOf(purpose);
    if (what === undefined) return [];
    if (openMs === undefined || since === undefined) return [{ what }];
    return since + openMs > now ? [{ what, until: since + openMs }] : [];
  });
}

/** Creates what lists and changes the keys of an installation. One change runs at a time. */
export function createKeyVersions(deps: Deps): KeyVersions {
  const { kv, clock, random, keyring, source } = deps;
  let last: Promise<unknown> = Promise.resolve();

  /** Loaded only here, because a start needs none of the modules that store encrypted values. */
  const needsOf = async () => await (await import("./sealed.ts")).decryptedBy(deps);

  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }

  // A fingerprint is the name of the text "salt".
  const identityId = () => idOf(keyring.identify("cfbe/fingerprint", "salt"));
  const byHand = (salt?: string): ByHand => ({
    byHand: true,
    shared: kv.engine.shared,
    identity: salt !== undefined && identityId() === versionOf(salt),
  });

  /** A move has copied the salts to the new database already. */
  async function requireNoMove() {
    if (source.hasMoved()) {
      throw new KeyRefused(
        "moving",
        "The database has been moved. Restart cfbe with CFBE_KV set to the new one first.",
      );
    }
    if (gateOf(await kv.get(keys.move())).row) {
      throw new KeyRefused("moving", "The database is being moved. Change keys before or after the move.");
    }
  }

  return {
    async list() {
      const row = await readRow(kv, saltsKey());
      const { accepted } = source.current();
      const needs = accepted.length > 1 ? await needsOf() : [];
      const versions = allSalts(source.current()).map((salt, index): KeyVersion => {
        const since = row?.since?.[fingerprintOf(salt)];
        return {
          id: versionOf(salt),
          state: index === 0 ? "current" : index < accepted.length ? "previous" : "revoked",
          isIdentity: identityId() === versionOf(salt),
          ...(since !== undefined && { since }),
          needs: index === 0 ? [] : needs[index] ?? [],
        };
      });
      return { versions, open: accepted.length > 1 ? openSignatures(versions[0]!.since, clock.now()) : [] };
    },

    rotate: (from) =>
      alone(async () => {
        const current = versionOf(source.current().accepted[0]);
        if (current !== from) throw new KeyRefused("rotated", `The current key is ${current} already.`);
        await requireNoMove();
        const stored = await source.stored();
        if (!stored) return byHand();
        // If an earlier attempt was interrupted after it had written the file, this one goes on with its salt.
        const isWritten = versionOf(stored.accepted[0]) !== current;
        await source.write(
          isWritten ? stored : { ...stored, accepted: [newSalt(random), ...stored.accepted] },
        );
        return { id: versionOf(source.current().accepted[0]) };
      }),

    revoke: (id) =>
      alone(async () => {
        const { accepted, identity } = source.current();
        const index = accepted.findIndex((salt) => versionOf(salt) === id);
        const salt = accepted[index];
        if (salt === undefined) {
          const isRevoked = identity !== undefined && versionOf(identity) === id;
          throw new KeyRefused(
            "unknown_key",
            isRevoked ? `The key ${id} has been revoked already.` : `There is no key ${id}.`,
          );
        }
        if (index === 0) {
          throw new KeyRefused("current_key", `The key ${id} is the current one. Rotate the keys first.`);
        }
        await requireNoMove();
        const needs = (await needsOf())[index]!;
        if (needs.some(({ what }) => what === ORDERS)) await resealAgain(deps);
        if (needs.length > 0) throw new KeyRefused("needed", neededText(id, needs));
        const stored = await source.stored();
        const others = stored?.accepted.filter((other) => versionOf(other) !== id);
        if (!stored || others?.length === stored.accepted.length) return byHand(salt);
        await source.write({
          accepted: others as [string, ...string[]],
          identity: identityId() === id ? salt : stored.identity,
        });
        // A variable may list it too.
        return source.current().accepted.some((other) => versionOf(other) === id) ? byHand(salt) : { id };
      }),
  };
}

export function needText({ what, count }: Need): string {
  return count === 1 ? what : `${count} ${what}`;
}

function neededText(id: string, needs: readonly Need[]): string {
  const running = needs.some(({ what }) => what === ORDERS)
    ? " The addresses are being encrypted again: try again in a few minutes."
    : needs.some(({ what }) => what.startsWith("the running"))
    ? " Try again once it has ended."
    : " Restart cfbe, which encrypts settings again.";
  return `Only the key ${id} decrypts ${needs.map(needText).join(", ")}.${running}`;
}

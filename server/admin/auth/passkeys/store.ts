import { Buffer } from "node:buffer";
import type { Config } from "../../../platform/config/config.ts";
import type { Clock, Random } from "../../../platform/deps.ts";
import type { Keyring } from "../../../platform/keys/keyring.ts";
import { cas, type Decision } from "../../../platform/kv/cas.ts";
import { type Key, readRow, typed } from "../../../platform/kv/key.ts";
import { keys } from "../../../platform/kv/keys.ts";
import type { Kv } from "../../../platform/kv/port.ts";
import { type ChallengeAbout, isOwnChallenge, newChallenge } from "./challenge.ts";
import { relyingPartyOf } from "./relying_party.ts";
import { MAX_PASSKEYS, passkeysKey, type PasskeysRow, type StoredPasskey } from "./row.ts";
import {
  challengeOf,
  createdAnswer,
  creationOptions,
  requestOptions,
  usedAnswer,
  verifyCreated,
  verifyUsed,
} from "./webauthn.ts";
import { sha256 } from "../../../platform/keys/sha256.ts";

/** A passkey as pages and the command line show it. */
export interface Passkey
  extends Pick<StoredPasskey, "id" | "title" | "site" | "synced" | "backedUp" | "createdAt" | "lastUsedAt"> {
  /** Whether it is for the host of the public URL; browsers use no other. */
  usable: boolean;
}

/** Whose passkeys they are. */
interface Owner {
  name: string;
  /** The password is `CFBE_ADMIN_PASSWORD`. */
  fixed: boolean;
}

/** A passkey whose creation was verified, to be stored in one commit with what it is used up under. */
export interface CreatedPasskey {
  passkey: StoredPasskey;
  /** Set in the commit that stores the passkey. It must have no value before. */
  used: ReturnType<typeof usedChallengeKey>;
}

/** Why a passkey was not added. */
export type NotAdded = "wrong" | "late" | "exists" | "too-many" | "unavailable";

const MAX_TITLE = 60;
const HANDLE_BYTES = 32;
const ID_BYTES = 4;
/** How to store that an answer is used up: for longer than a challenge is valid, also for a clock that is corrected a little. */
export const USED_ANSWER = { expireIn: 24 * 60 * 60_000 };

const usedChallengeKey = (challenge: string): Key<{ v: 1; at: number }> =>
  typed(keys.adminUsedChallenge(sha256(challenge)));

export type Passkeys = ReturnType<typeof createPasskeys>;

/** Creates the store of passkeys. */
export function createPasskeys(
  { config, kv, clock, random, keyring }: {
    config: Pick<Config, "baseUrl">;
    kv: Kv;
    clock: Clock;
    random: Random;
    keyring: Keyring;
  },
) {
  const site = relyingPartyOf(config);
  const challenge = (about: ChallengeAbout) => newChallenge(keyring, random, about, clock.now());
  const shown = (
    { webauthnId: _, publicKey: __, counter: ___, transports: ____, ...passkey }: StoredPasskey,
  ): Passkey => ({ ...passkey, usable: passkey.site === site?.id });

  const rowOf = async ({ name, fixed }: Owner) => {
    const row = await readRow(kv, passkeysKey(name));
    return row?.fixed === fixed ? row : undefined;
  };
  const usable = (row: PasskeysRow | undefined) =>
    row?.passkeys.filter((each) => each.site === site?.id) ?? [];

  /** Changes a passkey in one commit. @param apply returns the passkeys to keep. @returns false if there is none */
  function change(
    name: string,
    id: string,
    apply: (row: PasskeysRow, passkey: StoredPasskey) => StoredPasskey[],
  ): Promise<boolean> {
    const key = passkeysKey(name);
    return cas(kv, { owned: key }, ({ owned: { value: row } }): Decision<boolean> => {
      const passkey = row?.passkeys.find((each) => each.id === id);
      if (!row || !passkey) return { value: false };
      // The handle stays, so that an authenticator replaces a passkey that was removed here.
      return { value: true, write: (tx) => tx.set(key, { ...row, passkeys: apply(row, passkey) }) };
    }, { clock, random });
  }

  /** Verifies what the browser says that it has created. @param session which has to be that of the challenge */
  async function created(
    session: string,
    { title, answer: text }: { title: string; answer: string },
  ): Promise<CreatedPasskey | NotAdded> {
    if (!site) return "unavailable";
    const answer = createdAnswer(text);
    if (!answer) return "wrong";
    const given = challengeOf(answer);
    const now = clock.now();
    if (!isOwnChallenge(keyring, given, { kind: "add", session }, now)) return "late";
    const verified = await verifyCreated(site, answer, given);
    if (!verified) return "wrong";
    if (await ownerOf(verified.webauthnId)) return "exists";
    const id = Buffer.from(random.bytes(ID_BYTES)).toString("hex");
    return {
      passkey: { ...verified, id, title: cut(title) || "Passkey", createdAt: now },
      used: usedChallengeKey(given),
    };
  }

  async function ownerOf(webauthnId: string): Promise<{ name: string; row: PasskeysRow } | undefined> {
    for await (const { key, value: row } of kv.list<PasskeysRow>({ prefix: keys.adminPasskeysAll() })) {
      if (row.passkeys.some((each) => each.webauthnId === webauthnId)) {
        return { name: String(key.at(-1)), row };
      }
    }
    return undefined;
  }

  return {
    /** The site of the public URL; undefined if there can be no passkeys. */
    site,
    /** Returns the passkeys of a user, the newest first. */
    async of(owner: Owner): Promise<Passkey[]> {
      return (await rowOf(owner))?.passkeys.map(shown).toReversed() ?? [];
    },
    /** Returns how many passkeys each of some users can sign in with. */
    async countAmong(owners: readonly Owner[]): Promise<Map<string, number>> {
      const rows = await Promise.all(owners.map(rowOf));
      return new Map(owners.map(({ name }, index) => [name, usable(rows[index]).length]));
    },
    /** Stores what authenticators call the user, before their first passkey. */
    begin({ name, fixed }: Owner): Promise<void> {
      const key = passkeysKey(name);
      const handle = Buffer.from(random.bytes(HANDLE_BYTES)).toString("base64url");
      return cas(
        kv,
        { owned: key },
        ({ owned: { value: row } }): Decision<void> =>
          row?.fixed === fixed
            ? { value: undefined }
            : { value: undefined, write: (tx) => tx.set(key, { v: 1, handle, fixed, passkeys: [] }) },
        {
          clock,
          random,
        },
      );
    },
    /** Returns what the browser needs to create a passkey, after `begin`; undefined if there can be none. */
    async optionsToAdd(owner: Owner, session: string): Promise<object | undefined> {
      const row = await rowOf(owner);
      if (!site || !row) return undefined;
      const user = { name: owner.name, handle: row.handle, existing: usable(row) };
      return await creationOptions(site, user, challenge({ kind: "add", session }));
    },
    /** Returns what the browser needs to sign somebody in, the same for everybody; undefined without passkeys. */
    optionsToSignIn: (): object | undefined =>
      site && requestOptions(site, [], challenge({ kind: "sign-in" })),
    /** Returns what the browser needs to confirm who is signed in; undefined if they have no passkey. */
    async optionsToConfirm(owner: Owner, session: string): Promise<object | undefined> {
      const own = usable(await rowOf(owner));
      if (!site || own.length === 0) return undefined;
      return requestOptions(site, own, challenge({ kind: "confirm", session }));
    },
    /** Adds the passkey that the browser has created. Of two requests with the same answer, one is accepted. */
    async add(
      { name, fixed }: Owner,
      session: string,
      sent: { title: string; answer: string },
    ): Promise<Passkey | NotAdded> {
      const made = await created(session, sent);
      if (typeof made === "string") return made;
      const { passkey, used } = made;
      const key = passkeysKey(name);
      return await cas(kv, { owned: key, used }, (found): Decision<Passkey | NotAdded> => {
        if (found.used.value) return { value: "late" };
        const before = found.owned.value;
        // The user was removed meanwhile.
        if (before?.fixed !== fixed) return { value: "late" };
        if (before.passkeys.length >= MAX_PASSKEYS) return { value: "too-many" };
        const row = { ...before, passkeys: [...before.passkeys, passkey] };
        return {
          value: shown(passkey),
          write: (tx) => tx.set(key, row).set(used, { v: 1, at: passkey.createdAt }, USED_ANSWER),
        };
      }, { clock, random });
    },
    created,
    /**
     * Returns what the browser needs to create a passkey without a session; undefined if there can be none.
     *
     * @param handle what authenticators call a user who has no passkey yet
     */
    async optionsWithoutSession(
      name: string,
      session: string,
      handle: string,
    ): Promise<object | undefined> {
      if (!site) return undefined;
      const row = await rowOf({ name, fixed: false });
      const user = { name, handle: row?.handle ?? handle, existing: usable(row) };
      return await creationOptions(site, user, challenge({ kind: "add", session }));
    },
    /** @returns false if the user has no such passkey */
    rename: ({ name }: Owner, id: string, title: string): Promise<boolean> =>
      change(
        name,
        id,
        (row, passkey) =>
          row.passkeys.map((each) => each === passkey ? { ...each, title: cut(title) } : each),
      ),
    /** @returns false if the user has no such passkey */
    remove: ({ name }: Owner, id: string): Promise<boolean> =>
      change(name, id, (row, passkey) => row.passkeys.filter((each) => each !== passkey)),
    /**
     * Uses up the answer of an authenticator. Of two requests with the same answer, one is accepted.
     *
     * @param find returns the user with a name
     * @returns the user whose passkey it is; undefined for every reason not to accept it
     */
    async use<User extends Owner>(
      about: ChallengeAbout,
      text: string,
      find: (name: string) => Promise<User | undefined>,
    ): Promise<{ user: User; passkey: Passkey } | undefined> {
      const answer = usedAnswer(text);
      const now = clock.now();
      if (!site || !answer) return undefined;
      const given = challengeOf(answer);
      if (!isOwnChallenge(keyring, given, about, now)) return undefined;
      const owner = await ownerOf(answer.id);
      const passkey = owner?.row.passkeys.find((each) => each.webauthnId === answer.id);
      const user = owner && await find(owner.name);
      if (!owner || !passkey || user?.fixed !== owner.row.fixed || passkey.site !== site.id) return undefined;
      const { userHandle } = answer.response;
      if (userHandle && userHandle !== owner.row.handle) return undefined;
      const change = await verifyUsed(site, passkey, answer, given);
      if (!change) return undefined;
      const key = passkeysKey(owner.name);
      const used = usedChallengeKey(given);
      return await cas(
        kv,
        { owned: key, used },
        (found): Decision<{ user: User; passkey: Passkey } | undefined> => {
          const row = found.owned.value;
          const before = row?.passkeys.find((each) => each.webauthnId === passkey.webauthnId);
          if (!row || !before || found.used.value || isCopied(before.counter, change.counter)) {
            return { value: undefined };
          }
          const after = { ...before, ...change, lastUsedAt: now };
          const passkeys = row.passkeys.map((each) => each === before ? after : each);
          return {
            value: { user, passkey: shown(after) },
            write: (tx) => tx.set(key, { ...row, passkeys }).set(used, { v: 1, at: now }, USED_ANSWER),
          };
        },
        { clock, random },
      );
    },
  };
}

const cut = (title: string) => title.trim().slice(0, MAX_TITLE);

/** Returns whether an authenticator counts less than before, so that there must be a copy of it. */
const isCopied = (before: number, now: number) => (before > 0 || now > 0) && now <= before;

import type { Config } from "../../platform/config/config.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { relyingPartyOf } from "./passkeys/relying_party.ts";
import { passkeysKey, type PasskeysRow, type StoredPasskey } from "./passkeys/row.ts";
import type { Passkeys } from "./passkeys/store.ts";
import {
  acceptsPasswords,
  emptyUsers,
  type Identity,
  storedUser,
  type User,
  type Users,
  usersKey,
  type UsersRow,
} from "./users.ts";

/** What users can remove of how they sign in themselves. */
export type OwnWay = { kind: "passkey"; id: string } | { kind: "identity" };

/** Returns whether two URLs lead to the same place: that of a host can end with a slash. */
const isSameUrl = (one: string, other: string) => URL.parse(one)?.href === URL.parse(other)?.href;

export type WaysIn = ReturnType<typeof createWaysIn>;

/** Creates what decides how users can sign in: passkeys for this site, an account at the provider, and passwords. */
export function createWaysIn(
  { config, kv, clock, random, passkeys, users }: {
    config: Pick<Config, "baseUrl" | "oidc">;
    kv: Kv;
    clock: Clock;
    random: Random;
    passkeys: Pick<Passkeys, "of">;
    users: Pick<Users, "acceptPasswords" | "list">;
  },
) {
  const site = relyingPartyOf(config)?.id;
  /** Returns whether an account is at the identity provider that is connected now. */
  const isConnected = (identity: Identity | undefined): boolean =>
    identity !== undefined && config.oidc !== undefined && isSameUrl(identity.issuer, config.oidc.issuer);
  /** Returns whether passkeys or an account at the identity provider sign a user in, so that no password is needed. */
  const hasAnotherWay = (
    identity: Identity | undefined,
    own: readonly Pick<StoredPasskey, "site">[],
  ): boolean => own.some((each) => each.site === site) || isConnected(identity);
  // The user of `CFBE_ADMIN_PASSWORD` can have the name of a stored one.
  const storedOf = (row: UsersRow, { name, fixed }: User) => fixed ? undefined : storedUser(row, name);
  const passkeysOf = (row: PasskeysRow | null, { fixed }: User) => row?.fixed === fixed ? row.passkeys : [];

  /** Returns those of some users who can't sign in without a password. */
  async function withoutAnotherWay(some: readonly User[]): Promise<User[]> {
    const owned = await Promise.all(some.map(passkeys.of));
    return some.filter(({ identity }, index) => !hasAnotherWay(identity, owned[index]!));
  }

  return {
    isConnected,
    hasAnotherWay,
    withoutAnotherWay,
    /** Returns who can't sign in, because passwords are off: nobody while they are on. */
    async lockedOut(): Promise<{ users: number; allAdmins: boolean }> {
      if (await users.acceptPasswords()) return { users: 0, allAdmins: false };
      const all = await users.list();
      const left = await withoutAnotherWay(all);
      const allAdmins = all.every((user) => user.role !== "admin" || left.includes(user));
      return { users: left.filter(({ fixed }) => allAdmins || !fixed).length, allAdmins };
    },
    /**
     * Removes a way in which a user signs in, unless it is the last one: in one commit, so that two requests can't remove
     * one each.
     */
    removeOwn(user: User, way: OwnWay): Promise<"removed" | "absent" | "last-way"> {
      const key = passkeysKey(user.name);
      return cas(kv, { users: usersKey(), owned: key }, ({ users, owned }): Decision<
        "removed" | "absent" | "last-way"
      > => {
        const row = structuredClone(users.value ?? emptyUsers());
        const stored = storedOf(row, user);
        const own = passkeysOf(owned.value, user);
        const left = own.filter(({ id }) => way.kind !== "passkey" || id !== way.id);
        const absent = way.kind === "passkey" ? left.length === own.length : stored?.identity === undefined;
        if (absent) return { value: "absent" };
        const hasPassword = (user.fixed || stored?.password !== undefined) && acceptsPasswords(row);
        const identity = way.kind === "identity" ? undefined : stored?.identity;
        if (!hasPassword && !hasAnotherWay(identity, left)) return { value: "last-way" };
        if (way.kind === "passkey") {
          return { value: "removed", write: (tx) => tx.set(key, { ...owned.value!, passkeys: left }) };
        }
        delete stored!.identity;
        return { value: "removed", write: (tx) => tx.set(usersKey(), row) };
      }, { clock, random });
    },
    /** Turns passwords off for everybody, unless whoever does so could not sign in any more: in one commit. */
    disablePasswords(user: User): Promise<"done" | "unchanged" | "no-other-way"> {
      return cas(kv, { users: usersKey(), owned: passkeysKey(user.name) }, ({ users, owned }): Decision<
        "done" | "unchanged" | "no-other-way"
      > => {
        const row = structuredClone(users.value ?? emptyUsers());
        if (!acceptsPasswords(row)) return { value: "unchanged" };
        const stored = storedOf(row, user);
        const isAdmin = user.fixed || stored?.role === "admin";
        const isLeft = hasAnotherWay(stored?.identity, passkeysOf(owned.value, user));
        if (!isAdmin || !isLeft) return { value: "no-other-way" };
        row.passwordsOffSince = clock.now();
        return { value: "done", write: (tx) => tx.set(usersKey(), row) };
      }, { clock, random });
    },
    /** Turns passwords on for everybody. */
    enablePasswords(): Promise<"done" | "unchanged"> {
      return cas(kv, { users: usersKey() }, ({ users }): Decision<"done" | "unchanged"> => {
        const row = structuredClone(users.value ?? emptyUsers());
        if (acceptsPasswords(row)) return { value: "unchanged" };
        delete row.passwordsOffSince;
        return { value: "done", write: (tx) => tx.set(usersKey(), row) };
      }, { clock, random });
    },
  };
}

import type { Config } from "../../platform/config/config.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { relyingPartyOf } from "./passkeys/relying_party.ts";
import { passkeysKey } from "./passkeys/row.ts";
import type { Passkeys } from "./passkeys/store.ts";
import { acceptsPasswords, emptyUsers, type Identity, storedUser, type User, usersKey } from "./users.ts";

/** What users can remove of how they sign in themselves. */
export type OwnWay = { kind: "passkey"; id: string } | { kind: "identity" };

export type RemoveOwnWay = ReturnType<typeof createRemoveOwnWay>;

/**
 * Creates the function that removes a way in which a user signs in, unless it is the last one: in one commit, so that two
 * requests can't remove one each.
 */
export function createRemoveOwnWay(
  { config, kv, clock, random }: {
    config: Pick<Config, "baseUrl" | "oidc">;
    kv: Kv;
    clock: Clock;
    random: Random;
  },
) {
  const site = relyingPartyOf(config)?.id;
  return ({ name, fixed }: User, way: OwnWay): Promise<"removed" | "absent" | "last-way"> => {
    const passkeys = passkeysKey(name);
    return cas(kv, { users: usersKey(), owned: passkeys }, ({ users, owned }): Decision<
      "removed" | "absent" | "last-way"
    > => {
      const row = structuredClone(users.value ?? emptyUsers());
      const stored = storedUser(row, name);
      const own = owned.value?.fixed === fixed ? owned.value.passkeys : [];
      const left = own.filter(({ id }) => way.kind !== "passkey" || id !== way.id);
      const absent = way.kind === "passkey" ? left.length === own.length : stored?.identity === undefined;
      if (absent) return { value: "absent" };
      const identity = way.kind === "identity" ? undefined : stored?.identity;
      const hasPassword = (fixed || stored?.password !== undefined) && acceptsPasswords(row);
      const canSignIn = hasPassword || left.some((each) => each.site === site) || signsIn(config, identity);
      if (!canSignIn) return { value: "last-way" };
      if (way.kind === "passkey") {
        return { value: "removed", write: (tx) => tx.set(passkeys, { ...owned.value!, passkeys: left }) };
      }
      delete stored!.identity;
      return { value: "removed", write: (tx) => tx.set(usersKey(), row) };
    }, { clock, random });
  };
}

/** Returns whether an account is at the identity provider that is connected now. */
const signsIn = ({ oidc }: Pick<Config, "oidc">, identity: Identity | undefined): boolean =>
  identity !== undefined && identity.issuer === oidc?.issuer;

/** Turns passwords off and on, for everybody. */
export type PasswordSwitch = ReturnType<typeof createPasswordSwitch>;

/** Creates what turns passwords off and on. */
export function createPasswordSwitch(
  { config, kv, clock, random, passkeys }: {
    config: Pick<Config, "baseUrl" | "oidc">;
    kv: Kv;
    clock: Clock;
    random: Random;
    passkeys: Pick<Passkeys, "countAmong">;
  },
) {
  const site = relyingPartyOf(config)?.id;
  return {
    /** Returns those of some users who can't sign in without a password. */
    async withoutAnotherWay(users: readonly User[]): Promise<User[]> {
      const counts = await passkeys.countAmong(users);
      return users.filter(({ name, identity }) => !(counts.get(name)! > 0 || signsIn(config, identity)));
    },
    /** Turns passwords off, unless whoever does so could not sign in any more: in one commit. */
    disable({ name, fixed }: User): Promise<"done" | "unchanged" | "no-other-way"> {
      return cas(kv, { users: usersKey(), owned: passkeysKey(name) }, ({ users, owned }): Decision<
        "done" | "unchanged" | "no-other-way"
      > => {
        const row = structuredClone(users.value ?? emptyUsers());
        if (!acceptsPasswords(row)) return { value: "unchanged" };
        const stored = storedUser(row, name);
        const isAdmin = fixed || stored?.role === "admin";
        const own = owned.value?.fixed === fixed ? owned.value.passkeys : [];
        const isLeft = own.some((each) => each.site === site) || !fixed && signsIn(config, stored?.identity);
        if (!isAdmin || !isLeft) return { value: "no-other-way" };
        row.passwordsOffSince = clock.now();
        return { value: "done", write: (tx) => tx.set(usersKey(), row) };
      }, { clock, random });
    },
    /** Turns passwords on. */
    enable(): Promise<"done" | "unchanged"> {
      return cas(kv, { users: usersKey() }, ({ users }): Decision<"done" | "unchanged"> => {
        const row = structuredClone(users.value ?? emptyUsers());
        if (acceptsPasswords(row)) return { value: "unchanged" };
        delete row.passwordsOffSince;
        return { value: "done", write: (tx) => tx.set(usersKey(), row) };
      }, { clock, random });
    },
  };
}

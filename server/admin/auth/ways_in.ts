import type { Config } from "../../platform/config/config.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { relyingPartyOf } from "./passkeys/relying_party.ts";
import { passkeysKey } from "./passkeys/row.ts";
import { emptyUsers, type User, usersKey } from "./users.ts";

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
      const stored = Object.hasOwn(row.users, name) ? row.users[name] : undefined;
      const own = owned.value?.fixed === fixed ? owned.value.passkeys : [];
      const left = own.filter(({ id }) => way.kind !== "passkey" || id !== way.id);
      const absent = way.kind === "passkey" ? left.length === own.length : stored?.identity === undefined;
      if (absent) return { value: "absent" };
      const identity = way.kind === "identity" ? undefined : stored?.identity;
      const canSignIn = fixed || stored?.password !== undefined ||
        left.some((each) => each.site === site) ||
        (identity !== undefined && identity.issuer === config.oidc?.issuer);
      if (!canSignIn) return { value: "last-way" };
      if (way.kind === "passkey") {
        return { value: "removed", write: (tx) => tx.set(passkeys, { ...owned.value!, passkeys: left }) };
      }
      delete stored!.identity;
      return { value: "removed", write: (tx) => tx.set(usersKey(), row) };
    }, { clock, random });
  };
}

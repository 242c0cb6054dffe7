import type { Clock, Random } from "../../platform/deps.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import type { Role } from "./capability.ts";
import type { HashQueue } from "./hash_queue.ts";
import { handleOfLink, linkHash, newLinkToken } from "./link_token.ts";
import { hashPassword } from "./password.ts";
import { linkOfToken, openLinks, PASSWORD_LINK_MS, type PasswordLink } from "./password_link.ts";
import { MAX_PASSKEYS, passkeysKey } from "./passkeys/row.ts";
import { type CreatedPasskey, USED_ANSWER } from "./passkeys/store.ts";
import { secondFactorKey } from "./second_factor/store.ts";
import { deleteSignInRows } from "./sign_in_rows.ts";
import {
  acceptsPasswords,
  emptyUsers,
  fixedUserName,
  hasAdmin,
  hasRoomFor,
  type Identity,
  isTaken,
  type Refused,
  storedUser,
  usersKey,
  type UsersRow,
} from "./users.ts";

export type PasswordLinks = ReturnType<typeof createPasswordLinks>;

/** A new link. Its token is stored nowhere. */
export interface NewPasswordLink extends PasswordLink {
  token: string;
}

/** Creates the store of links with which people choose a password. They are in the row of all users. */
export function createPasswordLinks(
  { kv, clock, random, hashes, fixedPassword }: {
    kv: Kv;
    clock: Clock;
    random: Random;
    hashes: HashQueue;
    /** `CFBE_ADMIN_PASSWORD`. */
    fixedPassword: string | undefined;
  },
) {
  const fixedName = fixedUserName(fixedPassword);

  function change<Value>(
    decide: (row: UsersRow) => Value,
    written: (value: Value) => boolean,
    more: (tx: AtomicOperation, value: Value) => void = () => {},
  ) {
    return cas(kv, { users: usersKey() }, ({ users }): Decision<Value> => {
      const row = structuredClone(users.value ?? emptyUsers());
      const value = decide(row);
      return written(value) ? { value, write: (tx) => more(tx.set(usersKey(), row), value) } : { value };
    }, { clock, random });
  }

  /** Returns a usable link. A name that `CFBE_ADMIN_PASSWORD` has taken since would open that account. */
  function usable(row: UsersRow, token: string) {
    const link = linkOfToken(row.links, token, clock.now());
    return link && link.name !== fixedName && Object.hasOwn(row.users, link.name) === (link.kind === "reset")
      ? link
      : undefined;
  }

  /** Stores a new link. @param decide returns the link, or why there can be none */
  function add(
    name: string,
    decide: (row: UsersRow) => Omit<PasswordLink, "expiresAt"> | Refused,
  ): Promise<NewPasswordLink | Refused> {
    const token = newLinkToken(random);
    return change<NewPasswordLink | Refused>((row) => {
      const decided = decide(row);
      if (typeof decided === "string") return decided;
      const now = clock.now();
      const link = { ...decided, expiresAt: now + PASSWORD_LINK_MS[decided.kind] };
      const others = openLinks(row.links, now).filter((each) => each.name !== name);
      row.links = [...others, { ...link, hash: linkHash(token) }];
      return { ...link, token };
    }, (value) => typeof value !== "string");
  }

  return {
    /** Invites a user. Replaces an earlier invitation for the name. */
    invite({ name, role, by }: { name: string; role: Role; by: string }): Promise<NewPasswordLink | Refused> {
      return add(name, (row) => {
        if (name === fixedName || Object.hasOwn(row.users, name)) return "exists";
        if (!hasAdmin(row, fixedPassword) && role !== "admin") return "last-admin";
        if (!hasRoomFor(row, name, clock.now())) return "too-many";
        return { kind: "invitation", name, role, by };
      });
    },
    /** Lets a user choose another password. Replaces an earlier link for the name. */
    reset({ name, by }: { name: string; by: string }): Promise<NewPasswordLink | Refused> {
      return add(name, (row) => {
        if (name === fixedName) return "fixed";
        const user = storedUser(row, name);
        return user ? { kind: "reset", name, role: user.role, by } : "absent";
      });
    },
    /** Returns the open links, the first to expire first. */
    async list(): Promise<PasswordLink[]> {
      const row = await readRow(kv, usersKey());
      return openLinks(row?.links, clock.now())
        .map(({ hash: _, ...link }) => link)
        .sort((a, b) => a.expiresAt - b.expiresAt);
    },
    /** Returns the link that a token belongs to, if it can be used. */
    async find(token: string): Promise<PasswordLink | undefined> {
      return usable(await readRow(kv, usersKey()) ?? emptyUsers(), token);
    },
    /** Deletes the link for a name. @returns false if there is none */
    revoke(name: string): Promise<boolean> {
      return change((row) => {
        const before = row.links ?? [];
        row.links = before.filter((link) => link.name !== name);
        return row.links.length < before.length;
      }, (revoked) => revoked);
    },
    /**
     * Uses a link up: creates its user or changes the password, which ends all sessions. An invitation can also be accepted
     * with an account at the identity provider, without a password. While passwords are turned off, every link connects such
     * an account, and none sets a password.
     *
     * @returns the link, or undefined if it can no longer be used
     */
    async use(token: string, chosen: string | Identity): Promise<PasswordLink | undefined> {
      const how = typeof chosen === "string"
        ? { password: await hashes.run("known", () => hashPassword(chosen, random)) }
        : { identity: chosen };
      return await change(
        (row) => {
          const link = usable(row, token);
          if (!link) return undefined;
          const isOn = acceptsPasswords(row);
          if (how.password && !isOn) return undefined;
          const takesIdentity = link.kind === "invitation" || !isOn;
          if (how.identity && (!takesIdentity || isTaken(row, how.identity))) return undefined;
          const user = storedUser(row, link.name) ?? { role: link.role, createdAt: clock.now() };
          row.users[link.name] = { ...user, ...how };
          row.links = row.links?.filter((each) => each !== link) ?? [];
          return link;
        },
        (link) => link !== undefined,
        (tx, link) => {
          // A user who is created now has no second factor, even if one of the name was just turned on.
          if (link?.kind === "invitation") deleteSignInRows(tx, link.name);
        },
      );
    },
    /**
     * Uses a link up while passwords are turned off: its user gets a passkey, in the same commit. A user with a second factor
     * gets none: their passkey would replace it, and whoever has the link need not have their phone.
     *
     * @returns the link, or undefined if it can no longer be used
     */
    async useWithPasskey(
      token: string,
      { passkey, used }: CreatedPasskey,
    ): Promise<PasswordLink | undefined> {
      const found = usable(await readRow(kv, usersKey()) ?? emptyUsers(), token);
      if (!found) return undefined;
      const { name } = found;
      const [owned, factor] = [passkeysKey(name), secondFactorKey(name)];
      return await cas(
        kv,
        { users: usersKey(), owned, factor, used },
        (
          { users, owned: { value: before }, factor: { value: hasFactor }, used: { value: isUsed } },
        ): Decision<
          PasswordLink | undefined
        > => {
          const row = structuredClone(users.value ?? emptyUsers());
          const link = usable(row, token);
          const isNew = link?.kind === "invitation";
          const own = isNew || before?.fixed !== false ? undefined : before;
          if (!link || acceptsPasswords(row) || isUsed || hasFactor && !isNew) return { value: undefined };
          if (own && own.passkeys.length >= MAX_PASSKEYS) return { value: undefined };
          if (isNew) row.users[name] = { role: link.role, createdAt: clock.now() };
          row.links = row.links?.filter((each) => each !== link) ?? [];
          const passkeys = [...own?.passkeys ?? [], passkey];
          return {
            value: link,
            write(tx) {
              tx.set(usersKey(), row).delete(factor)
                .set(owned, { v: 1, handle: own?.handle ?? handleOfLink(token), fixed: false, passkeys })
                .set(used, { v: 1, at: passkey.createdAt }, USED_ANSWER);
            },
          };
        },
        { clock, random },
      );
    },
  };
}

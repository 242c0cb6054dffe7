import { z } from "zod";
import type { Clock, Random } from "../../platform/deps.ts";
import { isCommonPassword } from "../../platform/keys/common_password.ts";
import { type Keyring, secretsEqual } from "../../platform/keys/keyring.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import { deleteSignInRows } from "./sign_in_rows.ts";
import type { HashQueue } from "./hash_queue.ts";
import { openLinks, type PasswordLinkRow } from "./password_link.ts";
import type { Role } from "./capability.ts";
import {
  hashPassword,
  PASSWORD_MAX_CHARACTERS,
  PASSWORD_MIN_CHARACTERS,
  type PasswordHash,
  passwordMatches,
} from "./password.ts";

/** A person who can sign in. */
export interface User {
  name: string;
  role: Role;
  /** Changes with the password, which ends the sessions opened with the previous one. */
  credential: string;
  /** The password is `CFBE_ADMIN_PASSWORD`, so the admin cannot change this user. */
  fixed: boolean;
  createdAt?: number;
  /** Whether a password signs them in: not without one, and not while passwords are turned off. */
  hasPassword: boolean;
  /** Their account at the identity provider, if it is connected. */
  identity?: Identity;
}

/** An account at an identity provider. Only issuer and subject identify it: an address may get another owner. */
export interface Identity {
  issuer: string;
  /** SHA-256 of what the provider calls them, which may be long. */
  subject: string;
  /** What people recognize it by: an email address, or a name. */
  label: string;
}

interface StoredUser {
  role: Role;
  password?: PasswordHash;
  identity?: Identity;
  createdAt: number;
}

/** A link that creates the first admin, as stored: a hash, never the link itself. */
export interface SetUpRow {
  hash: string;
  at: number;
}

/** All users in one row, so that one check ensures that an admin remains, and that there is only one first admin. */
export interface UsersRow {
  v: 1;
  users: Record<string, StoredUser>;
  /** The links that create the first admin. Using one invalidates all. */
  setUps?: SetUpRow[];
  /** The links with which someone chooses a password. */
  links?: PasswordLinkRow[];
  /** Since when no password signs anybody in; absent while passwords do. */
  passwordsOffSince?: number;
}

/** Returns the user with this name. A name can be that of a member of every object, such as `constructor`. */
export const storedUser = (row: UsersRow, name: string): StoredUser | undefined =>
  Object.hasOwn(row.users, name) ? row.users[name] : undefined;

export const usersKey = (): Key<UsersRow> => typed(keys.adminUsers());

/** Name of the user with the password from the environment. */
const FIXED_NAME = "admin";

/** Returns the name of the user whose password is `fixedPassword`, or undefined without one. */
export function fixedUserName(fixedPassword: string | undefined): string | undefined {
  return fixedPassword === undefined ? undefined : FIXED_NAME;
}

export const emptyUsers = (): UsersRow => ({ v: 1, users: {} });

/** Returns whether passwords sign users in. */
export const acceptsPasswords = ({ passwordsOffSince }: UsersRow): boolean => passwordsOffSince === undefined;

/** Returns whether someone can manage the users. */
export function hasAdmin({ users }: UsersRow, fixedPassword: string | undefined): boolean {
  return fixedPassword !== undefined || Object.values(users).some(({ role }) => role === "admin");
}

/** Returns whether one more user fits. An open invitation takes the place of a user. */
export function hasRoomFor({ users, links }: UsersRow, name: string, now: number): boolean {
  const invited = openLinks(links, now).filter((link) => link.kind === "invitation" && link.name !== name);
  return Object.keys(users).length + invited.length < MAX_USERS;
}
/** A row holds 64 KiB. */
const MAX_USERS = 100;

export const UserName = z.string().trim().toLowerCase()
  .regex(/^[a-z0-9][a-z0-9._-]{1,39}$/, "must be 2 to 40 letters, digits, dots, hyphens or underscores");
/** A new password. Only `safeParseAsync` reads it: the list of common passwords is loaded when it is needed. */
export const Password = z.string()
  .min(PASSWORD_MIN_CHARACTERS, `must be ${PASSWORD_MIN_CHARACTERS} characters or more`)
  .max(PASSWORD_MAX_CHARACTERS, `must be ${PASSWORD_MAX_CHARACTERS} characters or less`)
  .refine(
    async (password) => !await isCommonPassword(password),
    "must not be a common password, because attackers try these first. Combine several unrelated words",
  );

export type Refused =
  | "connected"
  | "exists"
  | "absent"
  | "fixed"
  | "last-admin"
  | "too-many"
  | "no-set-up"
  | "passwords-off";

export type Users = ReturnType<typeof createUsers>;

export interface UsersDeps {
  kv: Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  hashes: HashQueue;
  /** `CFBE_ADMIN_PASSWORD`. */
  fixedPassword: string | undefined;
}

export function createUsers({ kv, clock, random, keyring, hashes, fixedPassword }: UsersDeps) {
  const read = async () => await readRow(kv, usersKey()) ?? emptyUsers();
  const hash = (password: string) => hashes.run("known", () => hashPassword(password, random));
  const credentialOf = (what: string) => keyring.identify("cfbe/admin-credential", what);

  const fixedUser = (password: string, row: UsersRow): User => ({
    name: FIXED_NAME,
    role: "admin",
    credential: credentialOf(`fixed:${password}`),
    fixed: true,
    hasPassword: acceptsPasswords(row),
  });
  const isFixed = (name: string) => name === fixedUserName(fixedPassword);
  const user = (name: string, stored: StoredUser, row: UsersRow): User => ({
    name,
    role: stored.role,
    credential: credentialOf(
      stored.password
        ? `kept:${stored.password.salt}:${stored.password.hash}`
        : `none:${name} ${stored.createdAt}`,
    ),
    fixed: false,
    createdAt: stored.createdAt,
    hasPassword: stored.password !== undefined && acceptsPasswords(row),
    ...(stored.identity && { identity: stored.identity }),
  });

  /** Changes the row in one commit. @returns the reason from `decide` not to, or undefined once committed */
  function change(
    decide: (row: UsersRow) => Refused | undefined,
    more: (tx: AtomicOperation) => void = () => {},
  ): Promise<Refused | undefined> {
    return cas(kv, { users: usersKey() }, ({ users }): Decision<Refused | undefined> => {
      const row = structuredClone(users.value ?? emptyUsers());
      const refused = decide(row);
      if (refused) return { value: refused };
      if (!hasAdmin(row, fixedPassword)) return { value: "last-admin" };
      return { value: undefined, write: (tx) => more(tx.set(usersKey(), row)) };
    }, { clock, random });
  }
  function changeStored(
    name: string,
    apply: (row: UsersRow, stored: StoredUser) => Refused | void,
    more?: (tx: AtomicOperation) => void,
  ) {
    if (isFixed(name)) return Promise.resolve<Refused>("fixed");
    return change((row) => {
      const stored = storedUser(row, name);
      return stored ? apply(row, stored) ?? undefined : "absent";
    }, more);
  }

  return {
    async find(name: string): Promise<User | undefined> {
      const row = await read();
      if (isFixed(name)) return fixedUser(fixedPassword!, row);
      const stored = storedUser(row, name);
      return stored && user(name, stored, row);
    },
    async list(): Promise<User[]> {
      const row = await read();
      const stored = Object.entries(row.users).filter(([name]) => !isFixed(name));
      const all = stored.map(([name, each]) => user(name, each, row));
      return [...(fixedPassword ? [fixedUser(fixedPassword, row)] : []), ...all];
    },
    /**
     * Returns the user with this name and password; nobody while passwords are turned off. Takes the same time for unknown
     * names. Call it inside the hash queue.
     */
    async verify(name: string, password: string): Promise<User | undefined> {
      const row = await read();
      if (!acceptsPasswords(row)) return undefined;
      const stored = isFixed(name) ? undefined : storedUser(row, name);
      const matches = await passwordMatches(password, stored?.password);
      if (isFixed(name)) {
        return secretsEqual(password, fixedPassword) ? fixedUser(fixedPassword!, row) : undefined;
      }
      return matches && stored ? user(name, stored, row) : undefined;
    },
    async add({ name, role, password }: { name: string; role: Role; password: string }) {
      if (isFixed(name)) return "exists" as const;
      const added = { role, password: await hash(password), createdAt: clock.now() };
      return await change((row) => {
        if (!acceptsPasswords(row)) return "passwords-off";
        if (Object.hasOwn(row.users, name)) return "exists";
        if (!hasRoomFor(row, name, clock.now())) return "too-many";
        row.users[name] = added;
        endLinks(row, (link) => link.name === name);
      }, (tx) => deleteSignInRows(tx, name));
    },
    /** Adds the first admin, invalidates all set-up links, and turns passwords on, as there is no other way yet. */
    async addFirst({ name, password, usable }: {
      name: string;
      password: string;
      usable: (setUps: SetUpRow[] | undefined) => boolean;
    }) {
      const added = { role: "admin" as const, password: await hash(password), createdAt: clock.now() };
      return await change((row) => {
        if (!usable(row.setUps) || Object.keys(row.users).length > 0) return "no-set-up";
        delete row.setUps;
        delete row.passwordsOffSince;
        row.users[name] = added;
      }, (tx) => deleteSignInRows(tx, name));
    },
    /**
     * Also ends the links that the user has created, so that nobody returns through one of them, and deletes the second
     * factor and the passkeys, which another user of the name does not have.
     */
    remove: (name: string) =>
      changeStored(name, (row) => {
        delete row.users[name];
        endLinks(row, (link) => link.name === name || link.by === name);
      }, (tx) => deleteSignInRows(tx, name)),
    /** Also ends the links that the user has created, because the new role may not allow them. */
    setRole: (name: string, role: Role) =>
      changeStored(name, (row, stored) => {
        stored.role = role;
        endLinks(row, (link) => link.name === name || link.by === name);
      }),
    /** Returns the user whose account at the identity provider this is. */
    async findByIdentity(identity: Identity): Promise<User | undefined> {
      const row = await read();
      const [name, stored] = Object.entries(row.users).find(([, each]) => isSame(each.identity, identity)) ??
        [];
      return name !== undefined && stored && !isFixed(name) ? user(name, stored, row) : undefined;
    },
    /** Adds a user who signs in with the identity provider. */
    addWithIdentity({ name, role, identity }: { name: string; role: Role; identity: Identity }) {
      if (isFixed(name)) return Promise.resolve<Refused>("exists");
      return change((row) => {
        if (Object.hasOwn(row.users, name)) return "exists";
        if (isTaken(row, identity)) return "connected";
        // Only an invitation or a setup link makes the first admin.
        if (!hasAdmin(row, fixedPassword)) return "last-admin";
        if (!hasRoomFor(row, name, clock.now())) return "too-many";
        row.users[name] = { role, identity, createdAt: clock.now() };
        endLinks(row, (link) => link.name === name);
      }, (tx) => deleteSignInRows(tx, name));
    },
    /** Connects a user with their account at the identity provider. */
    connect(name: string, identity: Identity): Promise<Refused | undefined> {
      if (isFixed(name)) return Promise.resolve<Refused>("fixed");
      return change((row) => {
        const stored = storedUser(row, name);
        if (!stored) return "absent";
        if (isTaken(row, identity)) return "connected";
        stored.identity = identity;
      });
    },
    async setPassword(name: string, password: string) {
      const next = await hash(password);
      return await changeStored(name, (row, stored) => {
        if (!acceptsPasswords(row)) return "passwords-off";
        stored.password = next;
        endLinks(row, (link) => link.name === name);
      });
    },
    /** Returns whether passwords sign users in. */
    acceptPasswords: async (): Promise<boolean> => acceptsPasswords(await read()),
  };
}

function endLinks(row: UsersRow, ended: (link: PasswordLinkRow) => boolean): void {
  if (row.links) row.links = row.links.filter((link) => !ended(link));
}

const isSame = (a: Identity | undefined, b: Identity) => a?.issuer === b.issuer && a.subject === b.subject;

/** Returns whether an account at the identity provider is that of a user. */
export function isTaken({ users }: UsersRow, identity: Identity): boolean {
  return Object.values(users).some((each) => isSame(each.identity, identity));
}

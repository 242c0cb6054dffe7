import { Buffer } from "node:buffer";
import type { Keyring } from "../../../platform/keys/keyring.ts";
import type { ProvedBy } from "../proved.ts";

/** What the state is about: the user, and what changes with their password. */
interface Account {
  name: string;
  credential: string;
}

/** What the user has proved before the code; `none` if only their browser did. */
type Before = ProvedBy | "none";

/** How long somebody has for the code, after the password was right. */
const STATE_MS = 5 * 60_000;

/**
 * Returns what the page that asks for the code sends along: proof that the user's password was right. It opens nothing
 * without a code, and each code works once. Another password makes it void.
 */
export function newSignInState(keyring: Keyring, user: Account, before: Before, now: number): string {
  const shown = Buffer.from(`${now} ${before} ${user.name}`).toString("base64url");
  return `${shown}.${keyring.sign("cfbe/admin-sign-in", signed(now, before, user))}`;
}

/** Returns the user whose password was right, and with what else they came, unless that was more than five minutes ago. */
export async function userOfState<User extends Account>(
  keyring: Keyring,
  find: (name: string) => Promise<User | undefined>,
  state: string,
  now: number,
): Promise<{ user: User; before: Before } | undefined> {
  const [, shown, signature] = /^([\w-]{1,200})\.([\w-]{43})$/.exec(state) ?? [];
  if (shown === undefined || signature === undefined) return undefined;
  const [, at, before, name] = /^(\d{1,15}) ([a-z]+) (\S+)$/.exec(
    Buffer.from(shown, "base64url").toString(),
  ) ?? [];
  if (at === undefined || name === undefined || Math.abs(now - Number(at)) >= STATE_MS) return undefined;
  const user = await find(name);
  return user && keyring.verify("cfbe/admin-sign-in", signed(Number(at), before!, user), signature)
    ? { user, before: before as Before }
    : undefined;
}

const signed = (at: number, before: string, { name, credential }: Account) =>
  `${at} ${before} ${name} ${credential}`;

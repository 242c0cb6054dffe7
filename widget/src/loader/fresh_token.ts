/**
 * Fetching a fill-time token (contract 3.8), and finding out a cache that serves old ones.
 *
 * The answer says `no-store`, and there are caches that are told to ignore it. A token that such a cache kept for
 * two hours is answered with a fake success (contract 4.5): every signup would be lost, and nobody would notice.
 */
import type { FormToken } from "../../../shared/contract.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import type { Ask, Parts } from "../host/context.ts";

/** A token may be this far from the visitor's clock: most clocks are right, and what is younger does no harm. */
export const DOUBT_MS = 60_000;

/**
 * @param form which form it is for, so that the owner can count how often each is seen; nothing about the visitor
 * @returns asks for a token, at an address that ends in what it is given
 */
export const tokenFrom = (ask: Ask, form: string) => async (ending: string): Promise<string> => {
  const path = `${NAMESPACE}/form-token?form=${encodeURIComponent(form)}${ending}`;
  const [, json] = await ask(path);
  const { token } = json as FormToken;
  if (typeof token !== "string") throw new TypeError("no token");
  return token;
};

/**
 * A token that comes from the server itself.
 *
 * No header tells: `Age` and `Date` can't be read from another origin, and caches rewrite both. The time inside the
 * token does, but the visitor's clock may be the one that is wrong. So a doubtful token is fetched again.
 *
 * @param get asks for one, at an address with this ending
 * @param load loads what settles a doubt
 */
export async function freshToken(
  get: (ending: string) => Promise<string>,
  load: (name: "doubt") => Promise<Pick<Parts["doubt"], "replaceToken">>,
): Promise<string> {
  const first = await get("");
  return Math.abs(Date.now() - parseInt(first)) > DOUBT_MS
    ? (await load("doubt")).replaceToken(get, first)
    : first;
}

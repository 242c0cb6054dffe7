import { z } from "zod";
import { pathPrefix } from "../../platform/config/config.ts";

const MAX_CHARACTERS = 2000;

/** A second slash would lead to another host, and so would a backslash or a tab before it. */
const PATH = /^\/(?![/\\])\S*$/;
const ABSOLUTE = /^https?:\/\/\S+$/i;

/** Where a form sends its visitors after the signup. Empty if it shows its message instead. */
export const successUrl = z.string().trim().max(
  MAX_CHARACTERS,
  `must be ${MAX_CHARACTERS} characters or less`,
).refine(
  (value) => value === "" || PATH.test(value) || (ABSOLUTE.test(value) && URL.canParse(value)),
  "must be a URL such as https://shop.example/thanks, or a path such as /thanks",
);

/**
 * Returns the URL to which a form on a page of its own leads after the signup. A path belongs to the site that cfbe is a
 * part of, or else to the first allowed origin.
 *
 * @param baseUrl public URL of the service
 * @returns undefined if the form shows its message, or if cfbe does not know the site of a path
 */
export function nextPageOf(
  successUrl: string,
  { baseUrl, origins }: { baseUrl: string; origins: readonly string[] },
): URL | undefined {
  if (successUrl === "") return undefined;
  const site = pathPrefix(baseUrl) === "" ? origins[0] : baseUrl;
  return URL.parse(successUrl, site) ?? undefined;
}

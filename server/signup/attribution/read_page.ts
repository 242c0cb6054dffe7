import { hasWebAddress } from "../../../shared/fields/plain_text.ts";
import { type SignupPage, UTM_NAMES } from "../../../shared/signup_page.ts";
import { asObject } from "../../platform/http/request_body.ts";

/** Longest path, and longest UTM value or referrer, in characters. Longer ones are cut. */
const PATH_MAX = 200;
/** Longest path as it is sent: each character can take up to 12. */
const ENCODED_MAX = 12 * PATH_MAX;
const VALUE_MAX = 100;
/** What stands for a path segment that could identify a person or be a web address. */
export const MASKED = "*";

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const NOT_IN_SEGMENT = /[\/?#\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** An address may be encoded several times, or have a wide `＠`, which NFKC turns into `@`. */
const ADDRESS = /@|%(25)*40|%(25)*ef%(25)*bc%(25)*a0/i;
const PHONE = /^\+[\d ().-]{6,}$/;
const UUID = /[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}/i;
/** A segment that may be the token of a link in an email, unless it has words. A JSON Web Token has dots. */
const TOKEN = /^[\w~.-]{24,}$/;
const RANDOM = /\d|[a-z][A-Z]/;
const WORD = /^([A-Z]?[a-z]{4,}|[A-Z]{4,})$/;

/**
 * Reads the `page` of a request body. Returns undefined if there is none, or none that can be used: a signup is never
 * refused for it. Values that contain an email address are left out; UTM parameters also if they contain a web address,
 * because emails can have them. Path segments that contain an address, or look like the token of a personal link, become
 * `*`.
 *
 * @param value can have any type
 */
export function readPage(value: unknown): SignupPage | undefined {
  const page = asObject(value);
  const path = pathOf(page?.["path"]);
  if (path === undefined) return undefined;
  const referrer = originOf(page!["referrer"]);
  const given = asObject(page!["utm"]) ?? {};
  const utm = Object.fromEntries(
    UTM_NAMES.flatMap((name) => {
      const cleaned = Object.hasOwn(given, name) ? textOf(given[name], VALUE_MAX) : "";
      const isPlain = cleaned !== "" && !ADDRESS.test(cleaned.normalize("NFKC")) && !hasWebAddress(cleaned);
      return isPlain ? [[name, cleaned]] : [];
    }),
  );
  return {
    path,
    ...(referrer !== undefined && { referrer }),
    ...(Object.keys(utm).length > 0 && { utm }),
  };
}

/** Returns a path, decoded, so that one page has one path and a limit counts what people read. */
function pathOf(value: unknown): string | undefined {
  const text = textOf(value, ENCODED_MAX);
  if (!text.startsWith("/")) return undefined;
  const [path = "/"] = text.split(/[?#]/, 1);
  const segments = path.split("/").map(decoded).map((segment) => isPersonal(segment) ? MASKED : segment);
  return [...segments.join("/")].slice(0, PATH_MAX).join("");
}

/** Decodes a segment. One that would contain a `/` or a control character, or is not valid, stays as it is. */
function decoded(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    return text.search(NOT_IN_SEGMENT) < 0 ? text : segment;
  } catch {
    return segment;
  }
}

function isPersonal(segment: string): boolean {
  return [ADDRESS, PHONE, UUID].some((pattern) => pattern.test(segment.normalize("NFKC"))) ||
    (TOKEN.test(segment) && RANDOM.test(segment) && !segment.split(/[_~.-]/).some((part) => WORD.test(part)));
}

function originOf(value: unknown): string | undefined {
  const url = URL.parse(textOf(value, VALUE_MAX));
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

function textOf(value: unknown, max: number): string {
  if (typeof value !== "string" || !value.isWellFormed()) return "";
  return [...value.slice(0, max * 2).replace(CONTROL, "").trim()].slice(0, max).join("");
}

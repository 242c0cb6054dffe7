import { type SignupPage, UTM_NAMES } from "../../shared/signup_page.ts";
import { asObject } from "../http/request_body.ts";

/** Longest path, and longest UTM value or referrer, in characters. Longer ones are cut. */
const PATH_MAX = 200;
const VALUE_MAX = 100;
/** What stands for a path segment that could identify a person. */
const MASKED = "*";

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const ADDRESS = /@|%40/i;
/** A segment such as the token of a link in an email: long, with digits, and without words. */
const TOKEN = /^(?=.*\d)[\w~-]{24,}$/;
const WORDS = /[a-z]{4,}-/i;

/**
 * Reads the `page` of a request body. Returns undefined if there is none, or none that can be used: a signup is never
 * refused for it. Values that contain an email address are left out, and path segments that contain one, or look like
 * the token of a personal link, become `*`.
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
      return cleaned === "" || ADDRESS.test(cleaned) ? [] : [[name, cleaned]];
    }),
  );
  return {
    path,
    ...(referrer !== undefined && { referrer }),
    ...(Object.keys(utm).length > 0 && { utm }),
  };
}

function pathOf(value: unknown): string | undefined {
  const text = textOf(value, PATH_MAX);
  if (!text.startsWith("/")) return undefined;
  const [path = "/"] = text.split(/[?#]/, 1);
  return path.split("/").map((segment) => isPersonal(segment) ? MASKED : segment).join("/");
}

function isPersonal(segment: string): boolean {
  return ADDRESS.test(segment) || (TOKEN.test(segment) && !WORDS.test(segment));
}

function originOf(value: unknown): string | undefined {
  const url = URL.parse(textOf(value, VALUE_MAX));
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

function textOf(value: unknown, max: number): string {
  if (typeof value !== "string" || !value.isWellFormed()) return "";
  return [...value.slice(0, max * 2).replace(CONTROL, "").trim()].slice(0, max).join("");
}

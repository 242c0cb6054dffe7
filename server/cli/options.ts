import { InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import { ROLES } from "../admin/auth/capability.ts";

/** Returns `--limit`, with its maximum. */
export function limitOption(what: string, max: number): Option {
  return new Option("--limit <count>", `${what} per page, at most ${max}`).default(50).argParser((value) => {
    const count = Number(value);
    if (Number.isInteger(count) && count >= 1 && count <= max) return count;
    throw new InvalidArgumentError(`Must be a whole number from 1 to ${max}.`);
  });
}

/** Returns `--yes`, for commands that cannot be undone. */
export function yesOption(): Option {
  return new Option("--yes", "do not ask for confirmation");
}

/** Returns `--role`. */
export function roleOption(): Option {
  return new Option("--role <role>", "what the user may do").choices(ROLES).default("viewer");
}

const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Returns the time of an option, in Unix milliseconds.
 *
 * @param text a date or time in ISO 8601; in UTC, unless it names a zone
 * @throws {InvalidArgumentError} for other texts, which `Date.parse` would read in the time zone of this machine
 */
export function utcTime(text: string): number {
  const [, day, time = "T00:00", zone = "Z"] = ISO_TIME.exec(text) ?? [];
  const ms = z.iso.date().safeParse(day).success ? Date.parse(day + time + zone) : NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new InvalidArgumentError(
    "Must be a date like 2026-01-31, or a time like 2026-01-31T18:00, in UTC unless it ends with a zone like +02:00.",
  );
}

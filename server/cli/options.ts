import { InvalidArgumentError, Option } from "commander";
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

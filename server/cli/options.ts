import { InvalidArgumentError, Option } from "commander";

/** `--limit`, with what is most. */
export function limitOption(of: string, most: number): Option {
  return new Option("--limit <count>", `${of} a page, ${most} at most`).default(50).argParser((value) => {
    const count = Number(value);
    if (Number.isInteger(count) && count >= 1 && count <= most) return count;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  });
}

/** `--yes`, on whatever can't be taken back. */
export function yesOption(): Option {
  return new Option("--yes", "do it without being asked");
}

import type { Fetch } from "../../deps.ts";
import type { Services } from "../../services.ts";

/** Something that is wrong, or will be. */
export interface Finding {
  /** What kind of thing it is, for scripts: `provider.key`, `webhook.foreign`. */
  id: string;
  /** `error`: signups, confirmations or data suffer. `warning`: they may. */
  level: "error" | "warning";
  what: string;
  why: string;
  todo: string;
}

/** One thing that is looked at. It says what it found, nothing when all is well, and "skipped" when it can't know. */
export interface Check {
  name: string;
  look(app: Services, outside: { fetch: Fetch }): Promise<Finding[] | "skipped">;
}

export function finding(
  level: Finding["level"],
  id: string,
  { what, why, todo }: Omit<Finding, "id" | "level">,
): Finding {
  return { id, level, what, why, todo };
}

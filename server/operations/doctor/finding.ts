import type { Problem } from "../checks/check.ts";

/** A problem that the doctor found. */
export interface Finding {
  /** Kind of problem, for scripts: `provider.key`, `webhook.foreign`. */
  id: string;
  /** `error`: signups, confirmations or data are affected. `warning`: they may be. */
  level: "error" | "warning";
  what: string;
  why: string;
  todo: string;
}

/** Returns a problem as the doctor reports it. */
export function finding({ id, tone, what, why = "", todo }: Problem): Finding {
  return { id, level: tone === "bad" ? "error" : "warning", what, why, todo };
}

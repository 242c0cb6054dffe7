/** Calls that an adapter does not make, for its object of unsupported calls. They send nothing. */
import type { Trouble } from "./trouble.ts";

/** Returns a call that is always refused. The admin shows the reason. */
export const refused = (reason: string) => () => Promise.resolve({ kind: "refused" as const, reason });

/** A call about a person whom the provider never has. */
export const absent = () => Promise.resolve({ kind: "absent" as const });

/** Returns a call that reads or lists what the provider does not show. */
export const unavailable = (reason: string) => (): Promise<Trouble> =>
  Promise.resolve({ kind: "trouble", code: "not_configured", reason, unknown: false });

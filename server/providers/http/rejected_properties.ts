import type { Trouble, TroubleCode } from "../port/trouble.ts";

/** Failures that may be about the properties: one of another type, or a key that may create none. */
const ABOUT_PROPERTIES: readonly TroubleCode[] = ["forbidden", "not_found", "account", "unexpected"];

/** Returns whether a call may have failed because of its properties, so that it is worth a repetition without them. */
export function mayRejectProperties(result: { kind: string } | Trouble): boolean {
  if (result.kind === "refused") return true;
  return "code" in result && !result.unknown && ABOUT_PROPERTIES.includes(result.code);
}

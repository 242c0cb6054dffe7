import type { PopupRules } from "../../../shared/public_settings.ts";
import type { Memory } from "../host/memory.ts";
import type { Cfbe } from "../types.ts";

/** The popup, once its rules are there. */
export interface PopupControl extends Pick<Cfbe, "open" | "close" | "why"> {
  readonly memory: Memory;
  /** Lets it show itself when nothing holds it back. */
  begin(rules: PopupRules): void;
}

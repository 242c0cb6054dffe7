import type { PopupRules } from "../../../shared/public_settings.ts";
import type { Memory } from "../host/memory.ts";
import type { Cfbe } from "../types.ts";

/** The popup, once its code has been loaded. */
export interface PopupControl extends Pick<Cfbe, "open" | "close" | "why"> {
  readonly memory: Memory;
  /**
   * Lets the popup open automatically when the rules allow it. Later calls do nothing.
   *
   * @returns a promise that rejects if the code for the rules cannot be loaded
   */
  enable(rules: PopupRules): Promise<void>;
}

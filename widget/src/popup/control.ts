import type { Memory } from "../host/memory.ts";
import type { Cfbe } from "../types.ts";

/** The popup and the other forms that open by themselves, once their code has been loaded. */
export interface PopupControl extends Pick<Cfbe, "open" | "close" | "why"> {
  readonly memory: Memory;
  /**
   * Lets forms open by themselves when their rules allow it. Later calls do nothing.
   *
   * @returns a promise that rejects if the code for the rules cannot be loaded
   */
  enable(): Promise<void>;
}

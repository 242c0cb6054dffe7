import type { View } from "../../frame/view.ts";
import type { SetupFacts } from "./facts.ts";

export interface StepProps {
  view: View<"kv">;
  facts: SetupFacts;
  /** The step is the next one to do. Its button is the page's primary one. */
  current: boolean;
}

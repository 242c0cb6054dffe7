import type { ComponentChildren, VNode } from "preact";
import { Icon } from "./icons.tsx";

export type StepState = "done" | "current" | "later";

const SAYS: Record<StepState, string> = { done: "done", current: "next", later: "later" };

/** One step of several, which opens and closes without script. */
export function Step(
  { id, number, title, state, open, live, watch, tell, children }: {
    id: string;
    number: number;
    title: string;
    state: StepState;
    open: boolean;
    /** It changes by itself: what differs here is put in its place, where a script looks again. */
    live?: string;
    /** A script is to look again. */
    watch?: boolean;
    /** What is said aloud when it has changed. */
    tell?: string;
    children: ComponentChildren;
  },
): VNode {
  return (
    <li
      id={id}
      class={`step ${state}`}
      data-live={live}
      data-watch={watch ? "" : undefined}
      data-tell={tell}
    >
      <details class="card" open={open}>
        <summary>
          <span class="mark">{state === "done" ? <Icon name="check" /> : number}</span>
          <h2>{title}</h2>
          <span class="hidden">({SAYS[state]})</span>
        </summary>
        <div class="body">{children}</div>
      </details>
    </li>
  );
}

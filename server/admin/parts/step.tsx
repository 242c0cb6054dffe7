import type { ComponentChildren, VNode } from "preact";
import { Icon } from "./icons.tsx";

export type StepState = "done" | "current" | "later" | "optional" | "unchecked" | "wrong";

const STATE_LABELS: Record<StepState, string> = {
  done: "done",
  current: "next",
  later: "later",
  optional: "optional",
  unchecked: "not checked yet",
  wrong: "needs attention",
};

/** One step of several, which opens and closes without JavaScript. */
export function Step(
  { id, number, title, note, state, open, live, watch, announce, children }: {
    id: string;
    number: number;
    title: string;
    /** What is set, missing or wrong, shown also while the step is closed. */
    note?: ComponentChildren;
    state: StepState;
    open: boolean;
    /** State of a step that visitors can change. The script replaces the step when this value differs. */
    live?: string;
    /** Makes the script poll the page. */
    watch?: boolean;
    /** Announced to screen readers after a change. */
    announce?: string;
    children: ComponentChildren;
  },
): VNode {
  return (
    <li
      id={id}
      class={`step ${state}`}
      data-live={live}
      data-watch={watch ? "" : undefined}
      data-announce={announce}
    >
      <details class="card" open={open}>
        <summary>
          <span class="mark">
            {state === "done" ? <Icon name="check" /> : state === "wrong" ? <Icon name="alert" /> : number}
          </span>
          <div class="name">
            <h2>{title}</h2>
            <span class="hidden">({STATE_LABELS[state]})</span>
            {note && <p class="note">{note}</p>}
          </div>
        </summary>
        <div class="body">{children}</div>
      </details>
    </li>
  );
}

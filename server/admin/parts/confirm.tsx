import type { ComponentChildren, VNode } from "preact";
import type { View } from "../view.ts";
import { PostForm } from "./form.tsx";

/** A button that asks before it does something: a native dialog, opened without script. */
export function Confirm(
  { view, id, button, title, action, match = {}, yes, danger = true, children }: {
    view: View;
    /** Of the dialog; one a page. */
    id: string;
    button: ComponentChildren;
    title: string;
    action: string;
    match?: Record<string, string>;
    /** What the button that does it says. */
    yes: string;
    danger?: boolean;
    children: ComponentChildren;
  },
): VNode {
  return (
    <>
      <button
        type="button"
        class={danger ? "danger" : undefined}
        popovertarget={id}
        disabled={!view.mayRun(action)}
      >
        {button}
      </button>
      <dialog id={id} popover="auto" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{title}</h2>
        <PostForm view={view} action={action} match={match} id={`${id}-form`}>
          <div class="says-what">{children}</div>
          <div class="buttons">
            <button type="button" popovertarget={id} popovertargetaction="hide" autofocus>Cancel</button>
            <button type="submit" class={danger ? "danger primary" : "primary"}>{yes}</button>
          </div>
        </PostForm>
      </dialog>
    </>
  );
}

import type { ComponentChildren, VNode } from "preact";
import type { View } from "../frame/view.ts";
import { PostForm } from "./form.tsx";

interface QuestionProps {
  view: View;
  /** ID of the dialog, unique on the page. */
  id: string;
  title: string;
  action: string;
  match?: Record<string, string>;
  /** Values of the fields, as in a `PostForm`. */
  current?: Record<string, unknown>;
  /** Label of the button that confirms. */
  yes: string;
  /** Label of the button that closes the dialog. */
  no?: string;
  danger?: boolean;
  /** Whether the button that closes the dialog takes the focus when it opens. */
  focus?: boolean;
  children: ComponentChildren;
}

/**
 * A button that asks for confirmation in a native dialog, which opens without JavaScript. Users who may not run the action
 * don't see it.
 */
export function Confirm(
  { button, primary, quiet, ...question }: QuestionProps & {
    button: ComponentChildren;
    /** Whether the button is the page's primary one. */
    primary?: boolean;
    /** Whether the button looks like a link, such as one of many in a table. */
    quiet?: boolean;
  },
): VNode | null {
  const { view, id, action, danger = true } = question;
  if (!view.mayRun(action)) return null;
  return (
    <>
      <button
        type="button"
        class={danger ? "danger" : primary ? "primary" : quiet ? "quiet" : undefined}
        popovertarget={id}
      >
        {button}
      </button>
      <dialog id={id} popover="auto" aria-labelledby={`${id}-title`}>
        <Question {...question} />
      </dialog>
    </>
  );
}

/** The button in a row of a table that revokes what the row shows, once it is confirmed. */
export function Revoke(
  { id, name, what, children, ...question }: Pick<QuestionProps, "view" | "action" | "children"> & {
    /** The action gets it. */
    id: string;
    name: string;
    /** One word, such as `token`. */
    what: string;
  },
): VNode {
  return (
    <div class="buttons">
      <Confirm
        {...question}
        id={`revoke-${id}`}
        button={
          <>
            Revoke <span class="hidden">{name}</span>
          </>
        }
        title={`Revoke ${name}?`}
        match={{ id }}
        yes={`Revoke ${what}`}
        no={`Keep ${what}`}
      >
        {children}
      </Confirm>
    </div>
  );
}

/** What a dialog shows that asks for confirmation. Its title names the dialog. */
export function Question(
  {
    view,
    id,
    title,
    action,
    match = {},
    current = {},
    yes,
    no = "Cancel",
    danger = true,
    focus = true,
    children,
  }: QuestionProps,
): VNode {
  return (
    <>
      <h2 id={`${id}-title`}>{title}</h2>
      <PostForm view={view} action={action} match={match} current={current} id={`${id}-form`}>
        <div class="says-what">{children}</div>
        <div class="buttons">
          <button type="button" popovertarget={id} popovertargetaction="hide" autofocus={focus}>{no}</button>
          <button type="submit" class={danger ? "danger primary" : "primary"}>{yes}</button>
        </div>
      </PostForm>
    </>
  );
}

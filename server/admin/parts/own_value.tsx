import type { ComponentChildren, VNode } from "preact";
import { at } from "../frame/ajax_body.ts";
import { useErrorSummary } from "./error_summary.tsx";
import { becameOwn, FormContext, type FormState, inputId, useForm } from "./form.tsx";
import { Icon } from "./icons.tsx";

/** Characters that fit into a field on a phone. */
const ONE_LINE_CHARACTERS = 36;

const DEFAULT_WORDS = { own: "Use a value of its own", inherit: "Use the default again" };

/**
 * A value that a form inherits until it has one of its own. The buttons submit the form, so it works without
 * JavaScript.
 *
 * @param inherited the value that the form's own one begins with
 * @param shown the inherited value as text, if it is not a text
 */
export function OwnValue(
  { path, label, inherited, shown = String(inherited), words = DEFAULT_WORDS, children }: {
    path: string;
    label: string;
    inherited: unknown;
    shown?: string;
    /** Texts of the buttons. */
    words?: { own: string; inherit: string };
    /** The field for the form's own value. */
    children: ComponentChildren;
  },
): VNode {
  const form = useForm();
  const value = form.value(path);
  const isOwn = becameOwn(form, path) || (value !== undefined && value !== null);
  const id = inputId(form, path);
  const error = isOwn ? undefined : form.error(path);
  const lockedBy = form.lockedBy(path);
  const locked = lockedBy !== undefined;
  const describedBy = [!isOwn && locked && `${id}-fixed`, error && `${id}-error`].filter(Boolean).join(" ") ||
    undefined;
  // The disabled field cannot take the focus, and the button is what the user needs.
  useErrorSummary({ id: `${id}-switch`, label, message: error });
  return (
    <div class="own-value">
      {isOwn
        ? <FormContext.Provider value={startingWith(form, path, inherited)}>{children}</FormContext.Provider>
        : (
          <div class="field">
            <label for={id}>{label}</label>
            {shown.length > ONE_LINE_CHARACTERS
              ? <textarea id={id} rows={2} disabled aria-describedby={describedBy} value={shown} />
              : <input id={id} value={shown} disabled aria-describedby={describedBy} />}
            {!locked && <input type="hidden" name={`o:${path}`} value="" />}
            {locked && (
              <p class="fixed" id={`${id}-fixed`}>
                <Icon name="lock" /> Set by {lockedBy}
              </p>
            )}
            {error && <p class="error" id={`${id}-error`}>{error}</p>}
          </div>
        )}
      {!locked && !form.readOnly && (
        <button
          type="submit"
          class="quiet"
          id={`${id}-switch`}
          name={isOwn ? "_inherit" : "_own"}
          value={path}
          aria-describedby={describedBy}
          formnovalidate
        >
          {isOwn ? words.inherit : words.own} <span class="hidden">({label})</span>
        </button>
      )}
    </div>
  );
}

/** Returns the form's state, with this value at a path that has none yet. */
function startingWith(form: FormState, path: string, start: unknown): FormState {
  const value = form.value(path);
  if (value !== undefined && value !== null) return form;
  return {
    ...form,
    value: (wanted) =>
      wanted === path
        ? start
        : wanted.startsWith(`${path}.`)
        ? at(start, wanted.slice(path.length + 1))
        : form.value(wanted),
  };
}

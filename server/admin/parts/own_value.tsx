import type { ComponentChildren, VNode } from "preact";
import { at } from "../frame/ajax_body.ts";
import { becameOwn, FormContext, type FormState, inputId, useForm } from "./form.tsx";

/**
 * A value that a form inherits until it has one of its own. `own_values.js` lets people type over it. Without JavaScript,
 * a button does the same.
 *
 * @param inherited the value that the form's own one begins with
 * @param from what it inherits from
 */
export function OwnValue(
  { path, label, inherited, from = "default", children }: {
    path: string;
    label: string;
    inherited: unknown;
    from?: "default" | "form";
    /** The field for the form's own value. While the form has none, it shows the inherited one and is not sent. */
    children: ComponentChildren;
  },
): VNode {
  const form = useForm();
  // What is wrong has to be changed.
  const isOwn = hasOwn(form, path) || form.error(path) !== undefined;
  const isLocked = form.lockedBy(path) !== undefined;
  const fields = (
    <FormContext.Provider value={startingWith(form, path, inherited)}>{children}</FormContext.Provider>
  );
  return (
    <div class="own-value" data-own-value="">
      {isOwn ? fields : (
        <>
          {!isLocked && <Inherits path={path} />}
          <fieldset class="plain" data-inherited="" disabled>{fields}</fieldset>
        </>
      )}
      {!isLocked && !form.readOnly && (
        <div class="own-or-default">
          <span class="help" hidden={isOwn} data-is-default="">{INHERITED[from].state}</span>
          <button type="submit" class="quiet" name="_own" value={path} hidden={isOwn} formnovalidate>
            Use a value of its own <span class="hidden">({label})</span>
          </button>
          <button
            type="submit"
            class="quiet"
            id={`${inputId(form, path)}-inherit`}
            name="_inherit"
            value={path}
            hidden={!isOwn}
            formnovalidate
          >
            {INHERITED[from].button} <span class="hidden">({label})</span>
          </button>
        </div>
      )}
    </div>
  );
}

const INHERITED = {
  default: { state: "As in the form defaults", button: "Use the default" },
  form: { state: "As the form", button: "Use the form’s" },
};

/** Returns whether a form has a value of its own at a path, or has just got one. */
export function hasOwn(form: FormState, path: string): boolean {
  const value = form.value(path);
  return becameOwn(form, path) || (value !== undefined && value !== null);
}

/** Says in a sent form that it has no value of its own at a path. */
export const Inherits = ({ path }: { path: string }): VNode => (
  <input type="hidden" name={`o:${path}`} value="" />
);

/** Returns the form's state, with this value at a path that has none yet. */
export function startingWith(form: FormState, path: string, start: unknown): FormState {
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

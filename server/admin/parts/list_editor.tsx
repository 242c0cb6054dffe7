import type { VNode } from "preact";
import { useErrorSummary } from "./error_summary.tsx";
import { becameOwn, inputId, useForm } from "./form.tsx";
import { Icon } from "./icons.tsx";

/** A list whose rows can be added and removed. The buttons submit the form, so it works without JavaScript. */
export function ListEditor(
  { path, legend, add, empty, row, titleOf }: {
    /** Path of the list, such as `fields.interests`. */
    path: string;
    legend: string;
    /** Label of the button that adds a row. */
    add: string;
    /** Shown while there are no rows. */
    empty: string;
    /** @param at path of the row */
    row(at: string, index: number): VNode;
    /** Returns the row's title, for the button that removes it. */
    titleOf(value: Record<string, unknown>, index: number): string;
  },
): VNode {
  const form = useForm();
  const value = form.value(path);
  const rows = Array.isArray(value) ? value as Record<string, unknown>[] : [];
  const locked = form.lockedBy(path);
  const error = form.ownError(path);
  const id = inputId(form, path);
  useErrorSummary({ id, label: legend, message: error });
  return (
    <fieldset
      class="rows"
      id={id}
      tabIndex={-1}
      autofocus={becameOwn(form, path)}
      disabled={locked !== undefined}
    >
      <legend>{legend}</legend>
      {locked
        ? (
          <p class="fixed">
            <Icon name="lock" /> Set by {locked}
          </p>
        )
        : <input type="hidden" name={`a:${path}`} />}
      {rows.length === 0 && <p class="help">{empty}</p>}
      {rows.map((each, index) => (
        <div key={index} class="row" role="group" aria-label={titleOf(each, index)} data-row>
          <div class="cells">{row(`${path}.${index}`, index)}</div>
          {!form.readOnly && (
            <button type="submit" class="quiet" name="_remove" value={`${path}.${index}`} formnovalidate>
              <Icon name="cross" />
              <span class="hidden">Remove {titleOf(each, index)}</span>
            </button>
          )}
        </div>
      ))}
      {error && <p class="error">{error}</p>}
      {!form.readOnly && (
        <button type="submit" class="add" name="_add" value={path} formnovalidate>
          <Icon name="plus" /> {add}
        </button>
      )}
    </fieldset>
  );
}

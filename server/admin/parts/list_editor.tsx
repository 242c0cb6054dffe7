import type { VNode } from "preact";
import { useForm } from "./form.tsx";
import { Icon } from "./icons.tsx";

/**
 * Rows to add and take out, by buttons that send the form to be edited: it works without script, and quicker with
 * it, for the answer then takes the page's place.
 */
export function ListEditor(
  { path, legend, add, empty, row, titleOf }: {
    /** Path of the list, such as `fields.interests`. */
    path: string;
    legend: string;
    /** What the button that adds a row says. */
    add: string;
    /** What stands there while there is no row. */
    empty: string;
    /** @param at path of the row */
    row(at: string, index: number): VNode;
    /** What tells a row from the others, for the button that removes it. */
    titleOf(value: Record<string, unknown>, index: number): string;
  },
): VNode {
  const form = useForm();
  const value = form.value(path);
  const rows = Array.isArray(value) ? value as Record<string, unknown>[] : [];
  const fixed = form.fixedBy(path);
  const error = form.ownError(path);
  return (
    <fieldset class="rows" disabled={fixed !== undefined}>
      <legend>{legend}</legend>
      {fixed
        ? (
          <p class="fixed">
            <Icon name="lock" /> Set by {fixed}
          </p>
        )
        : <input type="hidden" name={`a:${path}`} />}
      {rows.length === 0 && <p class="help">{empty}</p>}
      {rows.map((each, index) => (
        <div key={index} class="row" role="group" aria-label={titleOf(each, index)} data-row>
          <div class="cells">{row(`${path}.${index}`, index)}</div>
          <button type="submit" class="quiet" name="_remove" value={`${path}.${index}`} formnovalidate>
            <Icon name="cross" />
            <span class="hidden">Remove {titleOf(each, index)}</span>
          </button>
        </div>
      ))}
      {error && <p class="error">{error}</p>}
      <button type="submit" class="add" name="_add" value={path} formnovalidate>
        <Icon name="plus" /> {add}
      </button>
    </fieldset>
  );
}

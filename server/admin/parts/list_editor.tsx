import { isValidElement, type VNode } from "preact";
import { RowTitle, useErrorSummary } from "./error_summary.tsx";
import { becameOwn, type FormState, inputId, useForm } from "./form.tsx";
import { Icon } from "./icons.tsx";

/** A button that adds a row with some first values. */
export interface NewRow {
  label: string;
  /** What it is called without the list around it. Among several rows, `Add` and the label by default. */
  name?: string;
  /** A line on what it is for. */
  about?: string;
  values: Readonly<Record<string, string>>;
  /**
   * Whether the row is complete with its first values, and a list has one with their `name`. Its button keeps the focus, so
   * that more can be added.
   */
  once?: boolean;
}

/**
 * A list whose rows can be added and removed, unless it has no `add`, and, with `ordered`, moved. The buttons submit the
 * form, so it works without JavaScript.
 */
export function ListEditor(
  { path, legend, add, folded, ordered = false, empty, row, titleOf }: {
    /** Path of the list, such as `fields.interests`. */
    path: string;
    legend: string;
    /** The button that adds a row (only its label, for an empty row), or the rows to choose from, among other things to add. */
    add?: string | NewRow | readonly (NewRow | VNode)[];
    /** Under this title, the rows to choose from are folded once there is a row. */
    folded?: string;
    /** Whether the order of the rows has a meaning. */
    ordered?: boolean;
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
  const titles = rows.map(titleOf);
  // Two fields of the same kind have the same title until they have a label.
  const uniqueTitle = (index: number) => {
    const title = titles[index]!;
    return titles.filter((each) => each === title).length === 1 ? title : `${title} ${index + 1}`;
  };
  const locked = form.lockedBy(path);
  const error = form.ownError(path);
  const id = inputId(form, path);
  useErrorSummary({ id, label: legend, message: error });
  return (
    <fieldset
      class="rows"
      id={id}
      tabIndex={-1}
      autofocus={becameOwn(form, path) || lostRow(form, path)}
      disabled={locked !== undefined}
      aria-describedby={error && `${id}-error`}
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
      {rows.map((_, index) => (
        <div key={index} class="row" role="group" aria-label={uniqueTitle(index)} data-row>
          <div class="cells">
            <RowTitle.Provider value={uniqueTitle(index)}>{row(`${path}.${index}`, index)}</RowTitle.Provider>
          </div>
          {!form.readOnly && (
            <div class="row-buttons">
              {ordered && (
                <MoveButtons at={path} index={index} last={rows.length - 1} title={uniqueTitle(index)} />
              )}
              {add && (
                <button type="submit" class="quiet" name="_remove" value={`${path}.${index}`} formnovalidate>
                  <Icon name="cross" />
                  <span class="hidden">Remove {uniqueTitle(index)}</span>
                </button>
              )}
            </div>
          )}
        </div>
      ))}
      {error && <p class="error" id={`${id}-error`}>{error}</p>}
      {!form.readOnly && add && (
        folded && rows.length > 0
          ? (
            <details>
              <summary>{folded}</summary>
              <AddButtons path={path} add={add} rows={rows} />
            </details>
          )
          : <AddButtons path={path} add={add} rows={rows} />
      )}
    </fieldset>
  );
}

/** Returns whether a button has just removed a row of this list. Its button had the focus, and is gone. */
const lostRow = ({ edit }: FormState, path: string): boolean =>
  edit?.kind === "remove" && edit.path.replace(/\.\d+$/, "") === path;

function AddButtons(
  { path, add, rows }: {
    path: string;
    add: string | NewRow | readonly (NewRow | VNode)[];
    rows: readonly Record<string, unknown>[];
  },
): VNode {
  const form = useForm();
  const rowOf = (values: NewRow["values"]) => `${path}?${new URLSearchParams(values)}`;
  const button = (label: string, value: string, name?: string, about?: string) => (
    <button
      key={value}
      type="submit"
      class="add"
      name="_add"
      value={value}
      aria-label={name}
      aria-description={about}
      formnovalidate
    >
      <Icon name="plus" /> {label}
    </button>
  );
  if (typeof add === "string") return button(add, path);
  if ("label" in add) return button(add.label, rowOf(add.values), add.name);
  return (
    <div class="add-buttons">
      {add.map((each) => {
        if (isValidElement(each)) return each;
        const { label, name = `Add ${label}`, values, about, once } = each;
        return once
          ? (
            <AddOnce
              key={label}
              id={`${inputId(form, path)}-add-${values["name"]}`}
              field={values["name"]}
              isAdded={rows.some((row) => row["name"] === values["name"])}
              name="_add"
              value={rowOf(values)}
              {...{ label, about }}
            />
          )
          : button(label, rowOf(values), name, about);
      })}
    </div>
  );
}

/** A button for what is added once and needs nothing more. It keeps its place and the focus, and says what is added already. */
export function AddOnce({ isAdded, field, label, about, ...button }: {
  id: string;
  isAdded: boolean;
  /** Name of the field that it adds, which the form shows. */
  field?: string | undefined;
  label: string;
  about: string | undefined;
  name: string;
  value: string;
}): VNode {
  return (
    <button
      type={isAdded ? "button" : "submit"}
      class="add"
      {...button}
      aria-label={isAdded ? `${label} added` : `Add ${label}`}
      aria-description={about}
      aria-disabled={isAdded ? "true" : undefined}
      data-stays=""
      data-adds={isAdded ? field : undefined}
      formnovalidate
    >
      <Icon name={isAdded ? "check" : "plus"} /> <span>{label} {isAdded && <small>added</small>}</span>
    </button>
  );
}

/** Moves a row. The button that was used keeps the focus, or the other one if the row cannot move further. */
function MoveButtons(
  { at, index, last, title }: { at: string; index: number; last: number; title: string },
): VNode {
  const { edit } = useForm();
  const moved = (kind: "up" | "down") =>
    edit?.kind === kind && edit.path === `${at}.${kind === "up" ? index + 1 : index - 1}`;
  const [wasUp, wasDown] = [moved("up"), moved("down")];
  return (
    <>
      {index > 0 && (
        <button
          type="submit"
          class="quiet"
          name="_up"
          value={`${at}.${index}`}
          autofocus={wasUp || (wasDown && index === last)}
          formnovalidate
        >
          <Icon name="up" />
          <span class="hidden">Move {title} up</span>
        </button>
      )}
      {index < last && (
        <button
          type="submit"
          class="quiet"
          name="_down"
          value={`${at}.${index}`}
          autofocus={wasDown || (wasUp && index === 0)}
          formnovalidate
        >
          <Icon name="down" />
          <span class="hidden">Move {title} down</span>
        </button>
      )}
    </>
  );
}

import type { ComponentChildren, InputHTMLAttributes, VNode } from "preact";
import type { Suggestion } from "../../settings/schema/form_member.ts";
import { useErrorSummary } from "./error_summary.tsx";
import { becameOwn, type FormState, inputId, useForm, wasFilled } from "./form.tsx";
import { Icon } from "./icons.tsx";

export interface FieldProps {
  /** Path in the action's input, such as `fields.defaultList`. */
  path: string;
  label: string;
  help?: ComponentChildren | undefined;
  /** Returns what else describes the input, with this ID. */
  note?: (id: string) => VNode;
}

/** Attributes of a field's input. */
interface InputAttributes {
  id: string;
  disabled: boolean;
  "aria-describedby": string | undefined;
  "aria-invalid": "true" | undefined;
  autofocus: boolean;
}

/** The label, help, error and other notes of one input. */
function Frame(
  { path, label, help, note, secret, after, children }: FieldProps & {
    /** Never shows the value, nor what someone else has saved. */
    secret?: boolean;
    /** Places the label after the input, as for a checkbox. */
    after?: boolean;
    children: (attributes: InputAttributes, form: FormState) => VNode;
  },
): VNode {
  const form = useForm();
  const id = inputId(form, path);
  const error = form.error(path);
  useErrorSummary({ id, label, message: error });
  const locked = form.lockedBy(path);
  const savedNow = secret ? undefined : form.savedNow(path);
  const notes = [
    help && "help",
    note && "note",
    locked && "fixed",
    savedNow !== undefined && "saved",
    error && "error",
  ];
  const input = children({
    id,
    disabled: locked !== undefined,
    "aria-describedby": notes.filter(Boolean).map((note) => `${id}-${note}`).join(" ") || undefined,
    "aria-invalid": error ? "true" : undefined,
    autofocus: becameOwn(form, path) || wasFilled(form, path),
  }, form);
  const name = <label for={id}>{label}</label>;
  return (
    <div class={`field${after ? " after" : ""}`}>
      {after ? <div class="line">{input}{name}</div> : <>{name}{input}</>}
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
      {note?.(`${id}-note`)}
      {locked && (
        <p class="fixed" id={`${id}-fixed`}>
          <Icon name="lock" /> Set by {locked}
        </p>
      )}
      {savedNow !== undefined && (
        <p class="saved" id={`${id}-saved`}>Currently saved: {displayed(savedNow)}</p>
      )}
      {error && <p class="error" id={`${id}-error`}>{error}</p>}
    </div>
  );
}

function displayed(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (value === "" || value === undefined) return "empty";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const text = (value: unknown) => value === undefined || value === null ? "" : String(value);

interface InputProps {
  type?: "text" | "password" | "url" | "email" | "date" | "datetime-local";
  placeholder?: string;
  required?: boolean;
  autocomplete?: "off" | "current-password" | "new-password" | "one-time-code" | "username";
  autocapitalize?: "none";
  spellcheck?: boolean;
  minLength?: number;
  maxLength?: number;
  max?: string;
  dir?: "ltr" | "rtl";
}

interface NumberProps {
  min?: number;
  max?: number;
  step?: number | "any";
  required?: boolean;
  /** Unit shown after the input. */
  unit?: string;
}

/**
 * One line of text. `optional`: an empty field resets the setting to its default. `sample`: shown in the field.
 * `suggested`: the value of a field that is empty. `namedAfter`: path of the label that the browser suggests it from.
 */
export function TextField(
  { path, label, help, note, optional, sample, suggested, namedAfter, ...input }:
    & FieldProps
    & InputProps
    & { optional?: boolean; sample?: VNode; suggested?: string; namedAfter?: string },
): VNode {
  const secret = input.type === "password";
  return (
    <Frame path={path} label={label} help={help} secret={secret} {...note && { note }}>
      {(attributes, form) => {
        const own = secret ? undefined : text(form.value(path));
        const value = own === "" ? suggested ?? "" : own;
        const name = `${optional ? "o:" : ""}${path}`;
        // TypeScript has one type per input type, and `type` varies here.
        const field = (
          <input
            {...{ type: "text", ...input, ...attributes, name, value } as InputHTMLAttributes}
            data-suggested={own === "" && suggested || undefined}
            data-named-after={namedAfter}
          />
        );
        return sample ? <div class="line">{field}{sample}</div> : field;
      }}
    </Frame>
  );
}

export function NumberField(
  { path, label, help, unit, ...input }: FieldProps & NumberProps,
): VNode {
  return (
    <Frame path={path} label={label} help={help}>
      {(attributes, form) => (
        <div class="line">
          <input type="number" {...input} {...attributes} name={`n:${path}`} value={text(form.value(path))} />
          {unit && <span class="unit">{unit}</span>}
        </div>
      )}
    </Frame>
  );
}

/** Several lines of text, or, with `list`, one entry per line. `suggestion`: with the path of the other field. */
export function AreaField(
  { path, label, help, rows = 4, list, optional, suggestion, ...input }:
    & FieldProps
    & Pick<InputProps, "placeholder" | "dir">
    & { rows?: number; list?: boolean; optional?: boolean; suggestion?: Suggestion },
): VNode {
  return (
    <Frame path={path} label={label} help={help}>
      {(attributes, form) => {
        const value = form.value(path);
        const lines = Array.isArray(value) ? value.join("\n") : text(value);
        return (
          <>
            <textarea
              {...input}
              {...attributes}
              rows={rows}
              name={`${list ? "l:" : optional ? "o:" : ""}${path}`}
              value={lines}
              data-needed-with={suggestion?.with}
              data-needed-unless={suggestion?.unless}
              data-needed-on={suggestion?.on}
            />
            {suggestion && !form.readOnly && <Suggested id={`${attributes.id}-suggested`} of={suggestion} />}
          </>
        );
      }}
    </Frame>
  );
}

/**
 * Says that a text is missing, and offers one to begin with, with the choice that needs it if that is not made. Scripts show it
 * while the text is empty.
 */
function Suggested({ id, of: { missing, text, add } }: { id: string; of: Suggestion }): VNode {
  return (
    <div class="suggested" hidden>
      <p class="error" id={id}>{missing}</p>
      <button type="button" class="quiet" data-use-text={text}>
        <span>
          <span data-turns-on={add}>Use</span> “{text}”
        </span>
      </button>
    </div>
  );
}

/** A file to upload, in a form with `upload`. Browsers empty it when the page is shown again. @param most its bytes */
export function FileField(
  { path, label, help, accept, most, tooLarge }: FieldProps & {
    accept: string;
    most: number;
    /** What is said of a larger file. */
    tooLarge: string;
  },
): VNode {
  return (
    <Frame path={path} label={label} help={help} secret>
      {(attributes) => (
        <input
          type="file"
          {...attributes}
          name={path}
          accept={accept}
          data-most={most}
          data-too-large={tooLarge}
        />
      )}
    </Frame>
  );
}

export interface Option {
  value: string;
  label: string;
}

/**
 * A choice. A saved value that is no longer among the options stays selectable. `optional`: the option with an empty value
 * resets the setting to its default.
 */
export function SelectField(
  { path, label, help, options, optional }: FieldProps & { options: Option[]; optional?: boolean },
): VNode {
  return (
    <Frame path={path} label={label} help={help}>
      {(attributes, form) => {
        const value = text(form.value(path));
        const known = options.some((option) => option.value === value);
        return (
          <select {...attributes} name={`${optional ? "o:" : ""}${path}`}>
            {(known ? options : [{ value, label: value || "Choose…" }, ...options]).map((option) => (
              <option key={option.value} value={option.value} selected={option.value === value}>
                {option.label}
              </option>
            ))}
          </select>
        );
      }}
    </Frame>
  );
}

/** On or off. An unchecked checkbox sends nothing, so a hidden input sends `false` before it. */
export function SwitchField({ path, label, help }: FieldProps): VNode {
  return (
    <Frame path={path} label={label} help={help} after>
      {({ disabled, ...attributes }, form) => (
        <>
          <input type="hidden" name={`b:${path}`} value="false" disabled={disabled} />
          <input
            type="checkbox"
            role="switch"
            {...attributes}
            disabled={disabled}
            name={`b:${path}`}
            value="true"
            checked={form.value(path) === true}
          />
        </>
      )}
    </Frame>
  );
}

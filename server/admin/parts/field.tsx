import type { ComponentChildren, InputHTMLAttributes, VNode } from "preact";
import { type FormState, useForm } from "./form.tsx";
import { Icon } from "./icons.tsx";

export interface FieldProps {
  /** Path in the action's input, such as `fields.defaultList`. */
  path: string;
  label: string;
  help?: ComponentChildren | undefined;
}

/** How an input is to be drawn: its id, whether it is locked, and what describes it. */
interface Drawn {
  id: string;
  disabled: boolean;
  "aria-describedby": string | undefined;
  "aria-invalid": "true" | undefined;
}

/** Label, help, what is wrong, what fixes it, and what somebody else has saved, around one input. */
function Frame(
  { path, label, help, secret, after, children }: FieldProps & {
    /** What it holds is shown to nobody, nor what somebody else has saved there. */
    secret?: boolean;
    /** The label stands behind the input, as with a box to tick. */
    after?: boolean;
    children: (drawn: Drawn, form: FormState) => VNode;
  },
): VNode {
  const form = useForm();
  const id = `${form.id}-${path.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}`;
  const error = form.error(path);
  const fixed = form.fixedBy(path);
  const savedNow = secret ? undefined : form.savedNow(path);
  const notes = [help && "help", fixed && "fixed", savedNow !== undefined && "saved", error && "error"];
  const input = children({
    id,
    disabled: fixed !== undefined,
    "aria-describedby": notes.filter(Boolean).map((note) => `${id}-${note}`).join(" ") || undefined,
    "aria-invalid": error ? "true" : undefined,
  }, form);
  const name = <label for={id}>{label}</label>;
  return (
    <div class={`field${after ? " after" : ""}`}>
      {after ? <div class="line">{input}{name}</div> : <>{name}{input}</>}
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
      {fixed && (
        <p class="fixed" id={`${id}-fixed`}>
          <Icon name="lock" /> Set by {fixed}
        </p>
      )}
      {savedNow !== undefined && <p class="saved" id={`${id}-saved`}>Saved now: {shown(savedNow)}</p>}
      {error && <p class="error" id={`${id}-error`}>{error}</p>}
    </div>
  );
}

function shown(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (value === "" || value === undefined) return "nothing";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const text = (value: unknown) => value === undefined || value === null ? "" : String(value);

interface InputProps {
  type?: "text" | "password" | "url" | "email";
  placeholder?: string;
  required?: boolean;
  autocomplete?: "off" | "current-password" | "new-password" | "username";
  autocapitalize?: "none";
  spellcheck?: boolean;
  minLength?: number;
  dir?: "ltr" | "rtl";
}

interface NumberProps {
  min?: number;
  max?: number;
  step?: number | "any";
  required?: boolean;
  /** What the number counts, behind it. */
  unit?: string;
}

/** One line of text. `optional`: empty means unset, so that what stands below it holds. */
export function TextField(
  { path, label, help, optional, ...input }: FieldProps & InputProps & { optional?: boolean },
): VNode {
  const secret = input.type === "password";
  return (
    <Frame path={path} label={label} help={help} secret={secret}>
      {(drawn, form) => {
        const value = secret ? undefined : text(form.value(path));
        const name = `${optional ? "o:" : ""}${path}`;
        // The types of an input are many types to TypeScript; which one it is shows only here.
        return <input {...{ type: "text", ...input, ...drawn, name, value } as InputHTMLAttributes} />;
      }}
    </Frame>
  );
}

export function NumberField(
  { path, label, help, unit, ...input }: FieldProps & NumberProps,
): VNode {
  return (
    <Frame path={path} label={label} help={help}>
      {(drawn, form) => (
        <div class="line">
          <input type="number" {...input} {...drawn} name={`n:${path}`} value={text(form.value(path))} />
          {unit && <span class="unit">{unit}</span>}
        </div>
      )}
    </Frame>
  );
}

/** Several lines of text, or with `list` one entry a line. */
export function AreaField(
  { path, label, help, rows = 4, list, optional, ...input }:
    & FieldProps
    & { rows?: number; placeholder?: string; list?: boolean; optional?: boolean },
): VNode {
  return (
    <Frame path={path} label={label} help={help}>
      {(drawn, form) => {
        const value = form.value(path);
        const lines = Array.isArray(value) ? value.join("\n") : text(value);
        return (
          <textarea
            {...input}
            {...drawn}
            rows={rows}
            name={`${list ? "l:" : optional ? "o:" : ""}${path}`}
            value={lines}
          />
        );
      }}
    </Frame>
  );
}

export interface Option {
  value: string;
  label: string;
}

/** One of several. A value that is none of them any more stays, and is shown as what it is. */
export function SelectField({ path, label, help, options }: FieldProps & { options: Option[] }): VNode {
  return (
    <Frame path={path} label={label} help={help}>
      {(drawn, form) => {
        const value = text(form.value(path));
        const known = options.some((option) => option.value === value);
        return (
          <select {...drawn} name={path}>
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

/** On or off. A box that is not ticked sends nothing, so a hidden one says no in front of it. */
export function SwitchField({ path, label, help }: FieldProps): VNode {
  return (
    <Frame path={path} label={label} help={help} after>
      {({ disabled, ...drawn }, form) => (
        <>
          <input type="hidden" name={`b:${path}`} value="false" disabled={disabled} />
          <input
            type="checkbox"
            role="switch"
            {...drawn}
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

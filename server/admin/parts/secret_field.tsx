import type { VNode } from "preact";
import { type FieldProps, SwitchField, TextField } from "./field.tsx";
import { useForm } from "./form.tsx";

const SHOWN_CHARACTERS = 4;

/** Returns a masked secret, for users who may change it with its last four characters, if it is long enough. */
export function masked(secret: string, { mayChange }: { mayChange: boolean }): string {
  const isShort = secret.length < 3 * SHOWN_CHARACTERS;
  return isShort || !mayChange ? "••••••••" : `••••${secret.slice(-SHOWN_CHARACTERS)}`;
}

/** A field that sets, replaces or removes a secret, and never shows it. `remove.apiKey` removes `fields.apiKey`. */
export function SecretField({ path, label, help, secret }: FieldProps & { secret: string }): VNode {
  const { lockedBy, readOnly } = useForm();
  const mayChange = !readOnly && lockedBy(path) === undefined;
  const name = path.split(".").at(-1)!;
  return (
    <>
      <TextField
        path={path}
        label={label}
        help={help}
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder={secret === ""
          ? ""
          : masked(secret, { mayChange: !readOnly }) + (mayChange ? " · leave empty to keep" : "")}
      />
      {secret !== "" && mayChange && <SwitchField path={`remove.${name}`} label="Remove stored key" />}
    </>
  );
}

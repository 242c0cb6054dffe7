import type { VNode } from "preact";
import { type FieldProps, SwitchField, TextField } from "./field.tsx";
import { useForm } from "./form.tsx";

const SHOWN_CHARACTERS = 4;

/** Returns a masked secret, with its last four characters if it is long enough. */
export function masked(secret: string): string {
  return secret.length < 3 * SHOWN_CHARACTERS ? "••••••••" : `••••${secret.slice(-SHOWN_CHARACTERS)}`;
}

/** A field that sets, replaces or removes a secret, and never shows it. `remove.apiKey` removes `fields.apiKey`. */
export function SecretField({ path, label, help, secret }: FieldProps & { secret: string }): VNode {
  const locked = useForm().lockedBy(path) !== undefined;
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
        placeholder={secret === "" ? "" : `${masked(secret)} · leave empty to keep`}
      />
      {secret !== "" && !locked && <SwitchField path={`remove.${name}`} label="Remove stored key" />}
    </>
  );
}

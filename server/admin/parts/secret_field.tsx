import type { VNode } from "preact";
import { type FieldProps, SwitchField, TextField } from "./field.tsx";
import { useForm } from "./form.tsx";

const SHOWN_CHARACTERS = 4;

/** A secret as it may leave the server: its last four characters, of one that is long enough to spare them. */
export function masked(secret: string): string {
  return secret.length < 3 * SHOWN_CHARACTERS ? "••••••••" : `••••${secret.slice(-SHOWN_CHARACTERS)}`;
}

/** A secret that is set, replaced or removed, and never shown. `fields.apiKey` is removed by `remove.apiKey`. */
export function SecretField({ path, label, help, secret }: FieldProps & { secret: string }): VNode {
  const fixed = useForm().fixedBy(path) !== undefined;
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
        placeholder={secret === "" ? "" : `${masked(secret)} · leave empty to keep it`}
      />
      {secret !== "" && !fixed && <SwitchField path={`remove.${name}`} label="Forget the stored one" />}
    </>
  );
}

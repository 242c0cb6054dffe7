import type { ComponentChildren, VNode } from "preact";
import type { Evidence, ProviderField, ProviderModule } from "../../providers/module.ts";
import { TextField } from "./field.tsx";
import { SecretField } from "./secret_field.tsx";

/** What the form shows of a setting. */
type ShownField = Omit<ProviderField, "schema">;

/**
 * The settings of one provider, each with a link to where its value is found there.
 *
 * @param values the saved values by name, of which it shows no secret
 */
export function ProviderFields(
  { fields, values }: {
    fields: Readonly<Record<string, ShownField>>;
    values: Readonly<Record<string, string>>;
  },
): VNode {
  return (
    <>
      {Object.entries(fields).map(([name, field]) => {
        const shown = { path: `fields.${name}`, label: field.label, help: helpOf(field) };
        return field.secret
          ? <SecretField key={name} {...shown} secret={values[name]!} />
          : <TextField key={name} {...shown} autocomplete="off" spellcheck={false} />;
      })}
    </>
  );
}

/** Returns the help of a field. cfbe enters optional values itself, so it says only of required ones where to find them. */
function helpOf({ help, find, findUrl, required }: ShownField): ComponentChildren {
  if (!required) return help;
  const place = findUrl === undefined ? `${find}.` : (
    <>
      <a href={findUrl} target="_blank" rel="noreferrer">{find}</a> (opens in a new tab)
    </>
  );
  return <>{help} {place}</>;
}

const EVIDENCE: Readonly<Record<Evidence["grade"], (title: string) => string>> = {
  live: (title) => `Tested with the real ${title}`,
  recorded: (title) => `Tested against recorded responses of ${title}, not with a real account`,
  specified: (title) => `Tested against the documentation of ${title}, not with a real account`,
};

/** Returns how a provider's adapter was tested, and when. */
export function evidenceText({ title, evidence: { grade, date } }: ProviderModule): string {
  return `${EVIDENCE[grade](title)} (${date}).`;
}

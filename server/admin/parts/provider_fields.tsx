import type { VNode } from "preact";
import type { Evidence, ProviderField, ProviderModule } from "../../providers/module.ts";
import { SettingInput } from "./setting.tsx";

/**
 * The settings of one provider, each with a link to where its value is found there.
 *
 * @param values the saved values by name, of which it shows no secret
 */
export function ProviderFields(
  { fields, values }: {
    fields: Readonly<Record<string, ProviderField>>;
    values: Readonly<Record<string, string>>;
  },
): VNode {
  return (
    <>
      {Object.entries(fields).map(([name, { schema, ...field }]) => (
        <SettingInput
          key={name}
          path={`general.${name}`}
          schema={schema}
          about={{ ...field, code: true }}
          secret={values[name]!}
        >
          {field.required && <Place {...field} />}
        </SettingInput>
      ))}
    </>
  );
}

/** Where to find a value. cfbe enters optional ones itself. */
function Place({ find, findUrl }: Pick<ProviderField, "find" | "findUrl">): VNode {
  if (findUrl === undefined) return <>{find}.</>;
  return (
    <>
      <a href={findUrl} target="_blank" rel="noreferrer">{find}</a> (opens in a new tab)
    </>
  );
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

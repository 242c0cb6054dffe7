import type { VNode } from "preact";
import { SANDBOX } from "../../provider/providers.ts";
import { isSandbox, moduleOf, valuesOf } from "../../settings/provider.ts";
import type { View } from "../view.ts";
import { SelectField, TextField } from "./field.tsx";
import { SecretField } from "./secret_field.tsx";

/** The provider's settings, after the choice of a provider if there are several. */
export function ProviderFields({ view }: { view: View }): VNode {
  const { providers, current } = view.app.settings;
  const settings = current();
  const severalKinds = Object.keys(providers).length > 1;
  const module = moduleOf(settings, providers);
  const values = valuesOf(settings, module);
  return (
    <>
      {severalKinds && <ProviderChoice view={view} />}
      {severalKinds && isSandbox(settings)
        ? <p class="help">The sandbox needs no settings. Choose a provider and save to see its settings.</p>
        : Object.entries(module.fields).map(([name, { label, help, secret }]) =>
          secret
            ? (
              <SecretField
                key={name}
                path={`fields.${name}`}
                label={label}
                help={help}
                secret={values[name]!}
              />
            )
            : (
              <TextField
                key={name}
                path={`fields.${name}`}
                label={label}
                help={help}
                autocomplete="off"
                spellcheck={false}
              />
            )
        )}
    </>
  );
}

function ProviderChoice({ view }: { view: View }): VNode {
  const { providers, current } = view.app.settings;
  const kinds = Object.entries(providers).map(([value, { title }]) => ({ value, label: title }));
  // Only a restart with CFBE_PROVIDER=sandbox brings the sandbox back.
  const sandbox = isSandbox(current())
    ? [{ value: SANDBOX, label: "Sandbox (built in, sends no email)" }]
    : [];
  return (
    <SelectField
      path="fields.provider"
      label="Provider"
      options={[...sandbox, ...kinds]}
      help="After a change, save, enter the provider's settings and load its lists."
    />
  );
}

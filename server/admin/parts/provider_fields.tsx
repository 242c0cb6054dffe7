import type { VNode } from "preact";
import { limitationsOf } from "../../provider/limitations.ts";
import type { Evidence, ProviderModule } from "../../provider/module.ts";
import { SANDBOX } from "../../provider/providers.ts";
import { isSandbox, moduleOf, valuesOf } from "../../settings/provider.ts";
import type { View } from "../view.ts";
import { SelectField, TextField } from "./field.tsx";
import { Notice } from "./notice.tsx";
import { SecretField } from "./secret_field.tsx";

/** The provider's settings, after the choice of a provider if there are several. */
export function ProviderFields({ view }: { view: View }): VNode {
  const { providers, current } = view.app.settings;
  const settings = current();
  const severalKinds = Object.keys(providers).length > 1;
  return (
    <>
      {severalKinds && <ProviderChoice view={view} />}
      {severalKinds && isSandbox(settings)
        ? <p class="help">The sandbox needs no settings. Choose a provider and save to see its settings.</p>
        : <ChosenProvider view={view} module={moduleOf(settings, providers)} />}
    </>
  );
}

const EVIDENCE: Readonly<Record<Evidence["grade"], (title: string) => string>> = {
  live: (title) => `Tested with the real ${title}`,
  recorded: (title) => `Tested against recorded responses of ${title}, not with a real account`,
  specified: (title) => `Tested against the documentation of ${title}, not with a real account`,
};

/** The settings of one provider, how its adapter was tested, and what it cannot do. */
function ChosenProvider({ view, module }: { view: View; module: ProviderModule }): VNode {
  const values = valuesOf(view.app.settings.current(), module);
  const { title, evidence: { grade, date } } = module;
  const limitations = limitationsOf(view.app.provider.capabilities);
  return (
    <>
      <p class="help">{EVIDENCE[grade](title)} ({date}).</p>
      {limitations.length > 0 && (
        <Notice kind="plain">
          {title} has limits:
          <ul>{limitations.map((sentence) => <li key={sentence}>{sentence}</li>)}</ul>
        </Notice>
      )}
      {Object.entries(module.fields).map(([name, { label, help, secret }]) =>
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

import { capitalized } from "../../../platform/words/capitalized.ts";
import { docPage } from "../../../platform/words/doc_page.ts";
import { counted } from "../../../platform/words/counted.ts";
import type { VNode } from "preact";
import { limitationsOf } from "../../../providers/port/limitations.ts";
import type { Evidence, ProviderModule } from "../../../providers/module.ts";
import { Badge, type Tone } from "../../parts/notice.tsx";
import { evidenceText } from "../../parts/provider_fields.tsx";
import { lockedBy } from "../../frame/setting_lock.ts";
import type { View } from "../../frame/view.ts";
import { Limits } from "./limits.tsx";
import type { StepProps } from "./step_props.ts";

const GRADES: Readonly<Record<Evidence["grade"], Tone>> = {
  live: "good",
  recorded: "plain",
  specified: "plain",
};

/** Every provider with its evidence and its limits, before anyone relies on it. */
export function ProviderStep({ view, facts: { name: shown, isSandbox, other } }: StepProps): VNode {
  const { settings } = view.app;
  const used = settings.current().general.provider;
  const locked = lockedBy(view.app, "general.provider");
  return (
    <>
      {isSandbox && (
        <p>
          The <strong>sandbox</strong>{" "}
          simulates a provider: everything works, but emails stay in its inbox on this machine. Before real
          visitors sign up, choose a provider.
        </p>
      )}
      {locked && (
        <p class="help">
          The provider is set by {locked}. {capitalized(docPage("provider"))}{" "}
          says how to let this page choose it, without losing signups.
        </p>
      )}
      {other !== undefined && <p>Nothing changes for visitors until you switch in step 4.</p>}
      <ul class="providers">
        {Object.entries(settings.providers).map(([name, module]) => (
          <li key={name} class={name === shown ? "shown" : undefined}>
            <Choice
              view={view}
              name={name}
              module={module}
              state={name === used ? "in use" : name === shown ? "chosen" : undefined}
              canChoose={locked === undefined && name !== shown}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function Choice(
  { view, name, module, state, canChoose }: {
    view: View;
    name: string;
    module: ProviderModule;
    state: string | undefined;
    canChoose: boolean;
  },
): VNode {
  const { title, evidence, docs, capabilities } = module;
  const limits = limitationsOf(capabilities);
  return (
    <>
      <div class="offer">
        <h3>
          {title} <Badge kind={GRADES[evidence.grade]}>{evidence.grade}</Badge>{" "}
          {state && <Badge kind="good">{state}</Badge>}
        </h3>
        {canChoose && (
          <a
            class="button"
            id={`choose-${name}`}
            href={view.href(`/provider?provider=${name}#step-settings`)}
          >
            Choose <span class="hidden">{title}</span>
          </a>
        )}
      </div>
      <p class="help">
        {evidenceText(module)} See <code>{docs}</code>.
      </p>
      {limits.length > 0 && (
        <details>
          <summary>{counted(limits.length, "limit")}</summary>
          <Limits limits={limits} />
        </details>
      )}
    </>
  );
}

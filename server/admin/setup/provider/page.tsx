import type { VNode } from "preact";
import { at } from "../../frame/ajax_body.ts";
import { definePage } from "../../frame/page.ts";
import { Step } from "../../parts/step.tsx";
import type { View } from "../../frame/view.ts";
import { type SetupStep, type SetupStepName, setupSteps } from "./checklist.ts";
import { readSetupFacts, type SetupFacts } from "./facts.ts";
import { ListStep } from "./list_step.tsx";
import { ProviderStep } from "./provider_step.tsx";
import type { StepProps } from "./step_props.ts";
import { ConnectionStep, OptInStep, SettingsStep } from "./steps.tsx";
import { TestStep } from "./test_step.tsx";
import { WebhookStep } from "./webhook_step.tsx";

const STEPS: Readonly<
  Record<SetupStepName, { title: string; Body: (props: StepProps) => VNode | Promise<VNode> }>
> = {
  provider: { title: "Choose a provider", Body: ProviderStep },
  settings: { title: "Enter its settings", Body: SettingsStep },
  connection: { title: "Test the connection", Body: ConnectionStep },
  list: { title: "Choose a list", Body: ListStep },
  "opt-in": { title: "Check double opt-in", Body: OptInStep },
  webhook: { title: "Register the webhook", Body: WebhookStep },
  test: { title: "Send a test signup", Body: TestStep },
};

export const providerPage = definePage({
  path: "/provider",
  title: "Provider",
  lead: "The email service that stores your lists and sends the confirmation emails.",
  group: "Settings",
  icon: "mail",
  shortcut: "p",
  capability: "view",
  services: ["kv", "keyring", "provider", "providerNamed", "counters", "health"],
  async render(view) {
    const facts = await readSetupFacts(view);
    const steps = setupSteps(facts);
    const current = steps.find(({ state }) => state === "current" || state === "wrong")?.name;
    const affected = affectedStep(view);
    const followed = facts.test.followed !== undefined;
    const rows = await Promise.all(steps.map(async ({ name, state, summary, after }, index) => {
      const { title, Body } = STEPS[name];
      const isOpen = name === current || name === affected ||
        (name === "provider" && facts.isSandbox && !affected && !followed) || (name === "test" && followed);
      return (
        <Step
          key={name}
          id={`step-${name}`}
          number={index + 1}
          title={title}
          note={summary}
          state={state}
          open={isOpen}
          {...(name === "test" && liveOf(facts, summary))}
        >
          {after ? <ComesFirst step={after} /> : await Body({ view, facts, current: name === current })}
        </Step>
      );
    }));
    return (
      <>
        <Progress steps={steps} facts={facts} />
        <ol class="steps">{rows}</ol>
      </>
    );
  },
});

function ComesFirst({ step }: { step: SetupStepName }): VNode {
  return (
    <p class="help">
      First complete <a href={`#step-${step}`}>{STEPS[step].title}</a>.
    </p>
  );
}

function Progress({ steps, facts: { title, isSandbox } }: { steps: SetupStep[]; facts: SetupFacts }): VNode {
  const required = steps.filter(({ state }) => state !== "optional");
  const done = required.filter(({ state }) => state === "done").length;
  const name = isSandbox ? "The sandbox" : title;
  return (
    <div class="progress" id="progress" data-live={`${done}`}>
      <progress value={done} max={required.length} aria-label="Completed steps" />
      <p>
        {done === required.length
          ? `All done. ${name} is set up.`
          : `${name}: ${done} of ${required.length} steps completed.`}
      </p>
    </div>
  );
}

/** Properties of the last step, which the delivery and the confirmation change while the page is open. */
function liveOf({ test: { followed } }: SetupFacts, summary: string) {
  if (!followed) return {};
  const watch = followed.status === "queued" || followed.status === "pending";
  return { live: followed.status, watch, announce: summary };
}

/** Returns the step whose form was submitted, so that its result or its errors are visible. */
function affectedStep({ posted, done }: View): SetupStepName | undefined {
  switch (posted?.action ?? done?.action) {
    case "cfbe_test_connection":
      return "connection";
    case "cfbe_load_lists":
    case "cfbe_use_provider":
      return "list";
    case "cfbe_register_webhook":
      return "webhook";
    case "cfbe_send_test_signup":
      return "test";
    case "cfbe_save_general":
      return at(posted?.input, "fields.defaultList") === undefined ? "settings" : "list";
  }
  return undefined;
}

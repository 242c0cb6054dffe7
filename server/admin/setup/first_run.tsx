import type { VNode } from "preact";
import { definePage } from "../frame/page.ts";
import { Step } from "../parts/step.tsx";
import type { View } from "../frame/view.ts";
import { type FirstRun, firstRunOf, type StepName } from "./first_run_state.ts";
import { ConnectionStep, FormStep, ListStep, ProviderStep } from "./first_run_set_up.tsx";
import { SignupStep, SnippetStep } from "./first_run_signup.tsx";

const TITLES: Readonly<Record<StepName, string>> = {
  provider: "Choose a provider",
  connection: "Test the connection",
  list: "Choose a list",
  form: "Create a form",
  snippet: "Add it to your page",
  signup: "Get your first signup",
};

export const firstRunPage = definePage({
  path: "/first-run",
  title: "Getting started",
  lead: "Six steps to your first confirmed signup.",
  capability: "view",
  services: ["kv", "clock", "keyring", "provider", "counters", "health", "shop"],
  async render(view) {
    const run = await firstRunOf(view.app);
    return (
      <>
        <Progress view={view} run={run} />
        <ol class="steps">
          {run.steps.map(({ name, done }, index) => (
            <Step
              key={name}
              id={`step-${name}`}
              number={index + 1}
              title={TITLES[name]}
              state={done ? "done" : isActive(run, name) ? "current" : "later"}
              open={isOpen(view, run, name)}
              {...liveOf(run, name)}
            >
              <Body name={name} view={view} run={run} />
            </Step>
          ))}
        </ol>
      </>
    );
  },
});

function Body(
  { name, view, run }: { name: StepName; view: View<"keyring" | "provider" | "shop">; run: FirstRun },
): VNode {
  const current = name === run.current;
  switch (name) {
    case "provider":
      return <ProviderStep view={view} current={current} />;
    case "connection":
      return <ConnectionStep view={view} current={current} />;
    case "list":
      return <ListStep view={view} current={current} otherLists={run.facts.otherLists} />;
    case "form":
      return <FormStep view={view} current={current} />;
    case "snippet":
      return <SnippetStep view={view} run={run} />;
    case "signup":
      return <SignupStep view={view} run={run} />;
  }
}

/** The step that shows the result of an action. */
const SHOWN_AFTER: Readonly<Record<string, StepName>> = {
  cfbe_test_connection: "connection",
  cfbe_load_lists: "list",
};

/** Whether the step is open: the current one, and the steps around the snippet until someone has signed up. */
function isOpen({ done, posted }: View, run: FirstRun, name: StepName): boolean {
  const affected = SHOWN_AFTER[done?.action ?? posted?.action ?? ""];
  if (name === affected || name === "signup") return name === affected || run.done || isActive(run, name);
  return name === run.current || (name === "form" && run.current === "snippet");
}

/** From pasting the snippet on, cfbe also waits for a signup, so both steps are active at the same time. */
function isActive({ current }: FirstRun, name: StepName): boolean {
  return name === current || (name === "signup" && current === "snippet");
}

/** Properties of the last two steps, which visitors complete while the page is open. */
function liveOf(run: FirstRun, name: StepName) {
  const { current, done, facts } = run;
  if (name === "snippet") return { live: current === "snippet" ? "unseen" : "seen" };
  if (name !== "signup") return {};
  const state = done ? "done" : facts.waiting?.status ?? "none";
  const watch = isActive(run, name);
  const announcement = done ? "Your first signup is confirmed." : facts.waiting && "Someone has signed up.";
  return { live: `${state} ${current}`, watch, ...(announcement && { announce: announcement }) };
}

function Progress({ view, run }: { view: View; run: FirstRun }): VNode {
  const done = run.steps.length - run.left;
  return (
    <div class="progress" id="progress" data-live={`${done}`}>
      <progress value={done} max={run.steps.length} aria-label="Completed steps" />
      <p>
        {run.done
          ? (
            <>
              All done. <a href={view.href("/overview")}>Go to Overview</a>
            </>
          )
          : `${done} of ${run.steps.length} steps completed.`}
      </p>
    </div>
  );
}

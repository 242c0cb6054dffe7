import type { VNode } from "preact";
import type { Page } from "../page.ts";
import { Step } from "../parts/step.tsx";
import type { View } from "../view.ts";
import { type FirstRun, firstRunOf, type StepName } from "./first_run_state.ts";
import { ConnectionStep, FormStep, ListStep, ProviderStep } from "./first_run_set_up.tsx";
import { SignupStep, SnippetStep } from "./first_run_signup.tsx";

const TITLES: Readonly<Record<StepName, string>> = {
  provider: "Choose the provider",
  connection: "Test the connection",
  list: "Choose the list",
  form: "See your form",
  snippet: "Paste it into your page",
  signup: "Wait for your first signup",
};

export const firstRunPage: Page = {
  path: "/first-run",
  title: "First run",
  lead: "From nothing to the first person who has signed up and confirmed.",
  capability: "view",
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
              state={done ? "done" : isUnderWay(run, name) ? "current" : "later"}
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
};

function Body({ name, view, run }: { name: StepName; view: View; run: FirstRun }): VNode {
  switch (name) {
    case "provider":
      return <ProviderStep view={view} />;
    case "connection":
      return <ConnectionStep view={view} />;
    case "list":
      return <ListStep view={view} />;
    case "form":
      return <FormStep view={view} />;
    case "snippet":
      return <SnippetStep view={view} run={run} />;
    case "signup":
      return <SignupStep view={view} run={run} />;
  }
}

/** What has just been done is to be read where it was done. */
const SHOWN_AFTER: Readonly<Record<string, StepName>> = {
  cfbe_test_connection: "connection",
  cfbe_load_lists: "list",
};

/** The step that comes next; and what belongs to pasting, until somebody has signed up. */
function isOpen({ done, posted }: View, run: FirstRun, name: StepName): boolean {
  const asked = SHOWN_AFTER[done?.action ?? posted?.action ?? ""];
  if (name === asked || name === "signup") return name === asked || run.done || isUnderWay(run, name);
  return name === run.current || (name === "form" && run.current === "snippet");
}

/** Pasting and waiting are one: whoever has pasted waits already. */
function isUnderWay({ current }: FirstRun, name: StepName): boolean {
  return name === current || (name === "signup" && current === "snippet");
}

/** The last two steps change by themselves: visitors make them true, and not whoever looks at the page. */
function liveOf(run: FirstRun, name: StepName) {
  const { current, done, facts } = run;
  if (name === "snippet") return { live: current === "snippet" ? "unseen" : "seen" };
  if (name !== "signup") return {};
  const state = done ? "done" : facts.waiting?.status ?? "none";
  const watch = isUnderWay(run, name);
  const tell = done ? "Your first signup is confirmed." : facts.waiting && "Somebody has signed up.";
  return { live: `${state} ${current}`, watch, ...(tell && { tell }) };
}

function Progress({ view, run }: { view: View; run: FirstRun }): VNode {
  const done = run.steps.length - run.left;
  return (
    <div class="progress" id="progress" data-live={`${done}`}>
      <progress value={done} max={run.steps.length} aria-label="Steps done" />
      <p>
        {run.done
          ? (
            <>
              Everything works. <a href={view.href("/overview")}>Go to the Overview</a>
            </>
          )
          : `${done} of ${run.steps.length} steps are done.`}
      </p>
    </div>
  );
}

import { OPT_IN_PLACES } from "../../../operations/checks/lists.ts";
import { problemsOn } from "../../../operations/checks/registry.ts";
import { sendsWebhooks } from "../../../providers/port/capabilities.ts";
import { asSentence } from "../../../providers/port/trouble.ts";
import type { StepState } from "../../parts/step.tsx";
import type { SetupFacts } from "./facts.ts";

const STEPS = ["provider", "settings", "connection", "list", "opt-in", "webhook", "test"] as const;
export type SetupStepName = typeof STEPS[number];
/** Steps that the later ones need. */
const NEEDED: readonly SetupStepName[] = ["provider", "settings", "connection", "list"];

export interface SetupStep {
  name: SetupStepName;
  state: StepState;
  /** What is set, what is missing or wrong, or what the step waits for. */
  summary: string;
  /** The earlier step that comes first. */
  after?: SetupStepName;
}

type Found = { state: "done" | "missing" | "optional" | "wrong"; summary: string };

const done = (summary: string): Found => ({ state: "done", summary });
const missing = (summary: string): Found => ({ state: "missing", summary });
const optional = (summary: string): Found => ({ state: "optional", summary });
const wrong = (summary: string): Found => ({ state: "wrong", summary });

const LIST = new Intl.ListFormat("en");

/** Returns the state of every step. No progress is stored: it follows from the facts. Pure. */
export function setupSteps(facts: SetupFacts): SetupStep[] {
  const found: Record<SetupStepName, Found> = {
    provider: providerStep(facts),
    settings: settingsStep(facts),
    connection: connectionStep(facts),
    list: listStep(facts),
    "opt-in": optInStep(facts),
    webhook: webhookStep(facts),
    test: testStep(facts),
  };
  const blocking = NEEDED.findIndex((name) => found[name].state !== "done");
  const isBlocked = (index: number) => blocking >= 0 && index > blocking;
  const current = STEPS.find((name, index) =>
    ["missing", "wrong"].includes(found[name].state) && !isBlocked(index)
  );
  return STEPS.flatMap((name, index): SetupStep[] => {
    // Its number is free: only the last step follows.
    if (name === "webhook" && !sendsWebhooks(facts.capabilities)) return [];
    const { state, summary } = found[name];
    if (isBlocked(index) && state !== "done") {
      return [{ name, state: "later", summary: `Waits for step ${blocking + 1}.`, after: STEPS[blocking]! }];
    }
    return [{ name, summary, state: state !== "missing" ? state : name === current ? "current" : "later" }];
  });
}

function providerStep({ title, other, isSandbox }: SetupFacts): Found {
  if (isSandbox) return done("The sandbox, which sends no email.");
  return done(
    other === undefined ? `${title}.` : `${title}. Signups go to ${other} until you switch in step 4.`,
  );
}

function settingsStep({ missing: nouns, isSandbox }: SetupFacts): Found {
  if (isSandbox) return done("The sandbox needs no settings.");
  return nouns.length > 0
    ? missing(`Enter ${LIST.format(nouns)}.`)
    : done("All required settings are saved.");
}

function connectionStep({ connection, isSandbox }: SetupFacts): Found {
  switch (connection.state) {
    case "untested":
      return missing("Not tested yet.");
    case "changed":
      return missing("The settings have changed since the last test.");
    case "failed":
      return wrong(`Connection failed: ${asSentence(connection.reason)}`);
    case "works":
      if (connection.name !== undefined) return done(`Connected to ${connection.name}.`);
      return done(isSandbox ? "The sandbox needs no test." : "The provider responds.");
  }
}

function listStep(facts: SetupFacts): Found {
  const { title, other, settings, lists, listsOf, listTrouble, defaultList } = facts;
  if (listTrouble !== undefined) return wrong(`The lists could not be read: ${asSentence(listTrouble)}`);
  if (other !== undefined) {
    return lists.length === 0
      ? wrong(`${title} has no list. Create one there, and reload this page.`)
      : missing(`Choose a list, and switch to ${title}.`);
  }
  if (listsOf !== undefined) {
    return missing(`The lists were loaded from ${listsOf}. Load those of ${title}, and choose one.`);
  }
  const [problem] = lists.length === 0 ? [] : problemsOn("/provider#step-list", { settings, lists });
  if (problem) return wrong(problem.what);
  if (defaultList !== "") return done(`New signups go to ${defaultList}.`);
  return missing(lists.length === 0 ? "Load the lists, and choose one." : "Choose the list for new signups.");
}

function optInStep({ title, settings, usedLists: lists, capabilities }: SetupFacts): Found {
  const { optIn } = capabilities;
  if (optIn === "none") {
    return wrong(`${title} has no double opt-in: everyone is added without confirmation.`);
  }
  const [problem] = problemsOn("/provider#step-opt-in", { settings, lists, capabilities });
  if (problem) return wrong(problem.what);
  if (lists.some(({ doubleOptIn }) => doubleOptIn === undefined)) {
    return optional(`${title} does not show whether it is on. Check it ${OPT_IN_PLACES[optIn]}.`);
  }
  return lists.length === 0
    ? missing("The lists are not loaded.")
    : done(`On for ${LIST.format(lists.map(({ name }) => name))}.`);
}

function webhookStep({ webhook, unreachable, title }: SetupFacts): Found {
  if (!webhook) return missing("The connection is not tested.");
  switch (webhook.kind) {
    case "none":
      return optional("Polling finds confirmations within 15 minutes.");
    case "unsupported":
      return optional(`${title} lets no program register it. Polling finds confirmations within 15 minutes.`);
    case "trouble":
      return wrong(`The request to ${title} failed: ${asSentence(webhook.reason)}`);
    case "state":
      break;
  }
  const [problem] = problemsOn("/provider#step-webhook", { webhook });
  if (problem) return wrong(problem.what);
  if (webhook.state === "ours") return done("Registered.");
  return unreachable
    ? optional("The provider cannot reach this machine. Polling finds confirmations within 15 minutes.")
    : missing("Not registered. Polling finds confirmations within 15 minutes.");
}

function testStep({ test: { followed, sentAt, confirmed }, title }: SetupFacts): Found {
  if (followed?.unconfirmed) return wrong(`${title} added the address without asking for a confirmation.`);
  switch (followed?.status) {
    case "queued":
      return missing("Waiting for the delivery.");
    case "pending":
      return missing("Delivered. Waiting for the confirmation.");
    case "active":
      return done("Accepted, delivered and confirmed.");
    case "failed":
      return wrong(`The delivery failed: ${asSentence(followed.reason ?? "the provider gave no reason")}`);
    case "expired":
      return wrong("Nobody confirmed it in time. Send another.");
  }
  if (confirmed) return done("A test signup was confirmed.");
  return missing(
    sentAt === undefined ? "Not sent yet." : "A test signup was sent, and is not confirmed yet.",
  );
}

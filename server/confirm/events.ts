import type { HookAnswer } from "../../shared/contract.ts";
import type { ConfirmedBy } from "../../shared/outcomes.ts";
import type { ProviderEvent } from "../provider/port.ts";

export type HookAction = Extract<HookAnswer, { ok: true }>["action"];

/** What an event at the provider asks for. */
export interface EventRule {
  /** Which check to queue for each signup of the address that the event is about. */
  check: ConfirmedBy;
  /** The action of the answer where there is such a signup, and where there is none. */
  action: HookAction;
  otherwise: HookAction;
}

const ON_CHANGE = { active: "queued", ended: "received", other: "ignored" } as const;

/** Returns the row of contract 7.6 to 7.8 for an event. */
export function ruleFor(event: ProviderEvent): EventRule {
  switch (event.kind) {
    case "subscription":
      return { check: "webhook", action: ON_CHANGE[event.change], otherwise: "ignored" };
    case "mail":
      return { check: "webhook", action: "received", otherwise: "received" };
    case "automation":
      return { check: "automation", action: "queued", otherwise: "ignored" };
  }
}

const WEIGHT: Record<HookAction, number> = { queued: 2, received: 1, ignored: 0 };

/** Returns the action that answers a call with several events: the weightiest; "ignored" for a call with none. */
export function combineActions(actions: readonly HookAction[]): HookAction {
  return actions.reduce((most, action) => WEIGHT[action] > WEIGHT[most] ? action : most, "ignored");
}

import type { HookResponse } from "../../../shared/contract.ts";
import type { ConfirmedBy } from "../../../shared/outcomes.ts";
import type { ProviderEvent } from "../../providers/port/webhook.ts";

export type HookAction = Extract<HookResponse, { ok: true }>["action"];

/** What the webhook does with an event of the provider. */
export interface EventRule {
  /** The check to queue for each signup of the event's address. */
  check: ConfirmedBy;
  /** The action in the response if the address has a signup, and `otherwise` if it has none. */
  action: HookAction;
  otherwise: HookAction;
}

const ON_CHANGE = { active: "queued", ended: "received", other: "ignored" } as const;

/** Returns the rule for an event (contract 7.6 to 7.8). */
export function ruleFor(event: ProviderEvent): EventRule {
  switch (event.kind) {
    case "subscription":
    case "unnamed":
      return { check: "webhook", action: ON_CHANGE[event.change], otherwise: "ignored" };
    case "mail":
      return { check: "webhook", action: "received", otherwise: "received" };
    case "automation":
      return { check: "automation", action: "queued", otherwise: "ignored" };
  }
}

const PRIORITY: Record<HookAction, number> = { queued: 2, received: 1, ignored: 0 };

/** Returns the action in the response to a call with several events: the highest by priority, or "ignored" for none. */
export function combineActions(actions: readonly HookAction[]): HookAction {
  return actions.reduce(
    (highest, action) => PRIORITY[action] > PRIORITY[highest] ? action : highest,
    "ignored",
  );
}

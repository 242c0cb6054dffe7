import type { z } from "zod";
import type { AtomicOperation } from "../../platform/kv/port.ts";
import type { AdminServices } from "./services.ts";
import type { AuditChange } from "../../platform/audit/changes.ts";
import type { Actor } from "../auth/actor.ts";
import type { Capability } from "../auth/capability.ts";
import type { AsksProof } from "../auth/proved.ts";
import type { User } from "../auth/users.ts";

/** Titles of the groups of entries that the audit log can be filtered by. */
export const GROUP_TITLES = {
  access: "Sign-ins and passwords",
  users: "Users",
  settings: "Settings",
  people: "Subscribers and personal data",
  provider: "Provider and shop",
  service: "Jobs, backups and API",
} as const;

export type AuditGroup = keyof typeof GROUP_TITLES;

export type ActionName = `cfbe_${string}`;

/** The result of a successful action. */
export interface Done {
  /** A sentence for the user. */
  message: string;
  /** Set if the action had nothing to do, so that its message is not shown as a success. */
  tone?: "warn";
  /** Where to go on from there: a path such as `/users`. It is shown after the message. */
  link?: { text: string; to: string };
  /** Path of the page to open, such as `/users`. By default, the page of the form. */
  to?: string;
  /** Result for scripts, and for the page if `stay` is set. */
  data?: unknown;
  /** Renders the page with this result in `view.done`, in place of a redirect. */
  stay?: boolean;
  /** What the action has changed, for the audit log. */
  changes?: readonly AuditChange[];
  /** What happens to the session. */
  session?: "close" | { open: User };
}

export interface ActionContext {
  app: AdminServices;
  actor: Actor;
  /** Adds the changes to the action's entry in the audit log, in the commit that makes them. */
  logWithin(tx: AtomicOperation, changes: readonly AuditChange[]): void;
}

/** An action of the admin. Every change is one. */
export interface Action {
  name: ActionName;
  /** What it does, as the audit log says it. */
  title: string;
  group: AuditGroup;
  capability: Capability;
  /**
   * Whether a user must have entered their password in the last ten minutes: it gives somebody access, hands out or
   * erases people, or cannot be undone; or have proved it without a password. API tokens and the command line are not
   * asked; they have scopes.
   */
  asksPassword?: AsksProof;
  /** Whether the input has a file, so that it may be larger: the action is sent to `/admin/upload`. */
  upload?: boolean;
  input: z.ZodType;
  /** Returns what the action affects, such as an email address. The audit log stores only its HMAC. */
  target?(input: never): string | undefined;
  /** @throws {Refusal} if the action cannot be done */
  run(context: ActionContext, input: never): Promise<Done>;
}

/** Returns the action, typed by its input schema. */
export function defineAction<Input extends z.ZodType>(
  action: Omit<Action, "input" | "run" | "target"> & {
    input: Input;
    target?(input: z.output<Input>): string | undefined;
    run(context: ActionContext, input: z.output<Input>): Promise<Done>;
  },
): Action {
  return action as unknown as Action;
}

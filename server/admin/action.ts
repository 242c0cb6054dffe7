import type { z } from "zod";
import type { AdminServices } from "./services.ts";
import type { Actor } from "./auth/actor.ts";
import type { Capability } from "./auth/capability.ts";
import type { User } from "./auth/users.ts";

export type ActionName = `cfbe_${string}`;

/** What an action has come to. */
export interface Done {
  /** One sentence for whoever asked. */
  message: string;
  /** Path of the page to go to, such as `/users`; where the form was unless told. */
  to?: string;
  /** For a script that asked, and for the page when it stays. */
  data?: unknown;
  /** The page is drawn again with this in `view.done`, for what is to be read there and nowhere else. */
  stay?: boolean;
  /** What happens to the session that asked. */
  session?: "close" | { open: User };
}

export interface Asked {
  app: AdminServices;
  actor: Actor;
}

/** One row of the table of actions: everything that can be changed is changed by one of these. */
export interface Action {
  name: ActionName;
  capability: Capability;
  input: z.ZodType;
  /** Whom or what it is done to, in the clear; the audit log keeps an HMAC of it. */
  target?(input: never): string | undefined;
  /** @throws {Refusal} when it is not to be done */
  run(asked: Asked, input: never): Promise<Done>;
}

/** Type an action by its schema. */
export function defineAction<Input extends z.ZodType>(
  action: Omit<Action, "input" | "run" | "target"> & {
    input: Input;
    target?(input: z.output<Input>): string | undefined;
    run(asked: Asked, input: z.output<Input>): Promise<Done>;
  },
): Action {
  return action as unknown as Action;
}

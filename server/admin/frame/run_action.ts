import type { AdminServices } from "./services.ts";
import type { Action, Done } from "./action.ts";
import type { From } from "../../platform/audit/audit.ts";
import { nameOf } from "../../platform/audit/actor_name.ts";
import { type Actor, actorMay } from "../auth/actor.ts";
import { isProvedFor } from "../auth/proved.ts";
import { invalid, notAllowed, Refusal } from "./refusal.ts";

export type ActionOutcome =
  | { ok: true; status: 200 } & Omit<Done, "changes">
  | { ok: false; status: number; code: string; message: string; fields?: Record<string, string> };

const PASSWORD_NEEDED = "password_needed";
const CONFIRM_FIRST =
  "Confirm first that it is you: do this in the admin, which asks for it, or sign in again. Nothing was changed.";

/** Returns whether an action was not run because the user has to confirm their password first. */
export function isPasswordNeeded(outcome: ActionOutcome): boolean {
  return !outcome.ok && outcome.code === PASSWORD_NEEDED;
}

/**
 * Runs an action of a table. The caller has authenticated the actor: by session and nonce, by an API token, or because the command
 * line has the database open.
 *
 * @param input not validated yet
 * @param from where the request came from, for the audit log
 * @returns never throws: unexpected errors are logged, and reported as 503
 */
export async function runActionOf(
  actionNamed: (name: string) => Action | undefined,
  app: AdminServices,
  actor: Actor,
  name: string,
  input: unknown,
  from?: From,
): Promise<ActionOutcome> {
  try {
    const action = actionNamed(name);
    if (!action) throw new Refusal(404, "unknown_action", `There is no action named ${name.slice(0, 80)}.`);
    if (!await actorMay(app.hooks, actor, action.capability)) {
      throw new Refusal(403, "not_allowed", await notAllowed(app.hooks, actor, action.capability));
    }
    const parsed = await action.input.safeParseAsync(input);
    if (!parsed.success) throw invalid(parsed.error);
    const { asksPassword } = action;
    if (
      asksPassword && actor.kind === "user" && !isProvedFor(actor.session, asksPassword, app.clock.now())
    ) {
      throw new Refusal(403, PASSWORD_NEEDED, CONFIRM_FIRST);
    }
    const target = action.target?.(parsed.data as never);
    const end = await app.admin.audit.begin({
      who: nameOf(actor),
      action,
      target: target && app.admin.audit.target(target),
      from,
    });
    try {
      const { changes, ...done } = await action.run(
        { app, actor, logWithin: end.within },
        parsed.data as never,
      );
      await end("done", changes);
      return { ok: true, status: 200, ...done };
    } catch (error) {
      await end(error instanceof Refusal ? "refused" : "failed");
      throw error;
    }
  } catch (error) {
    if (error instanceof Refusal) {
      const { status, code, message, fields } = error;
      return { ok: false, status, code, message, fields };
    }
    app.log.error("admin.action_failed", { action: name, error });
    return {
      ok: false,
      status: 503,
      code: "failed",
      message: "Something went wrong. See cfbe's log for the cause.",
    };
  }
}

import type { From } from "../../platform/audit/audit.ts";
import type { Policies } from "../../platform/limits/policies.ts";
import { attempt } from "../../platform/limits/spend.ts";
import type { Admin } from "./admin.ts";
import type { Actor } from "./actor.ts";
import { HashingBusy } from "./hash_queue.ts";

type Deps = Parameters<typeof attempt>[0] & {
  admin: Pick<Admin, "users" | "hashes" | "sessions" | "audit">;
  policies: Policies;
};
type UserActor = Actor & { kind: "user" };

/** Why a signed-in user's password was not accepted. */
export type Unconfirmed = "wrong" | "too-many" | "busy" | "signed-out";

export const UNCONFIRMED: Readonly<Record<Unconfirmed, string>> = {
  "wrong": "That password is incorrect.",
  "too-many": "Too many attempts. Try again in 15 minutes.",
  "busy": "Too many passwords are being checked at once. Wait a few seconds and try again.",
  "signed-out": "Your session has ended. Nothing was changed. Sign in again.",
};

/**
 * Checks the password of a signed-in user. Wrong ones count toward a limit of the session: someone who finds it open must
 * not guess the password, and strangers must not lock out its owner.
 */
export async function checkOwnPassword(
  app: Deps,
  { name, session }: UserActor,
  password: string,
): Promise<Unconfirmed | undefined> {
  const { users, hashes } = app.admin;
  try {
    return await hashes.run("known", async () => {
      const counted = await attempt(app, [app.policies.loginDevice(session.id)]);
      if ("retryAfterMs" in counted) return "too-many";
      if (!await users.verify(name, password)) return "wrong";
      await counted.refund();
      return undefined;
    });
  } catch (error) {
    if (error instanceof HashingBusy) return "busy";
    throw error;
  }
}

/**
 * Confirms the password in the user's session, for actions with `asksPassword`. It is in the audit log; wrong passwords
 * share one entry an hour.
 *
 * @returns the actor with the session as it is now, or why not
 */
export async function confirmPassword(
  app: Deps,
  actor: UserActor,
  password: string,
  from: From,
): Promise<UserActor | Unconfirmed> {
  const { audit, sessions } = app.admin;
  const kind = { who: actor.name, action: "cfbe_confirm_password" as const, from };
  const refused = await checkOwnPassword(app, actor, password);
  if (refused) {
    if (refused === "wrong") await audit.count({ ...kind, result: "refused" });
    return refused;
  }
  const end = await audit.begin(kind);
  const now = app.clock.now();
  const isOpen = await sessions.prove(actor.session.id, now);
  await end(isOpen ? "done" : "refused");
  return isOpen ? { ...actor, session: { ...actor.session, provedAt: now } } : "signed-out";
}

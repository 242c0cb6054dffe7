import type { From } from "../../platform/audit/audit.ts";
import type { Policies } from "../../platform/limits/policies.ts";
import { attempt } from "../../platform/limits/spend.ts";
import type { Admin } from "./admin.ts";
import type { Actor } from "./actor.ts";
import { HashingBusy } from "./hash_queue.ts";

type Deps = Parameters<typeof attempt>[0] & {
  admin: Pick<Admin, "users" | "hashes" | "sessions" | "audit" | "passkeys">;
  policies: Policies;
};
type UserActor = Actor & { kind: "user" };

/** Why a signed-in user's password or passkey was not accepted. */
export type Unconfirmed = "wrong" | "wrong-passkey" | "too-many" | "busy" | "signed-out";
/** What a user proves with who they are. */
export type Proof = { password: string } | { passkey: string };

export const UNCONFIRMED: Readonly<Record<Unconfirmed, string>> = {
  "wrong": "That password is incorrect.",
  "wrong-passkey":
    "This passkey was not accepted. It may have been removed, or the page was open for too long. Try again.",
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
    return await hashes.run(
      "known",
      () => limited(app, session.id, async () => await users.verify(name, password) ? undefined : "wrong"),
    );
  } catch (error) {
    if (error instanceof HashingBusy) return "busy";
    throw error;
  }
}

/** Checks the answer of a passkey of a signed-in user. Wrong ones count toward the same limit as passwords. */
async function checkOwnPasskey(
  app: Deps,
  { name, session }: UserActor,
  answer: string,
): Promise<Unconfirmed | undefined> {
  const { users, passkeys } = app.admin;
  const own = async (found: string) => found === name ? await users.find(found) : undefined;
  return await limited(
    app,
    session.id,
    async () =>
      await passkeys.use({ kind: "confirm", session: session.id }, answer, own) ? undefined : "wrong-passkey",
  );
}

/** Checks a proof within the limit of a session, which counts only what is wrong. */
async function limited(
  app: Deps,
  session: string,
  check: () => Promise<Unconfirmed | undefined>,
): Promise<Unconfirmed | undefined> {
  const counted = await attempt(app, [app.policies.loginDevice(session)]);
  if ("retryAfterMs" in counted) return "too-many";
  const wrong = await check();
  if (!wrong) await counted.refund();
  return wrong;
}

/**
 * Confirms in the user's session who they are, for actions with `asksPassword`. It is in the audit log; wrong passwords
 * and passkeys share one entry an hour.
 *
 * @returns the actor with the session as it is now, or why not
 */
export async function confirmUser(
  app: Deps,
  actor: UserActor,
  proof: Proof,
  from: From,
): Promise<UserActor | Unconfirmed> {
  const { audit, sessions } = app.admin;
  const byPasskey = "passkey" in proof;
  const action = byPasskey ? "cfbe_confirm_passkey" as const : "cfbe_confirm_password" as const;
  const kind = { who: actor.name, action, from };
  const refused = byPasskey
    ? await checkOwnPasskey(app, actor, proof.passkey)
    : await checkOwnPassword(app, actor, proof.password);
  if (refused) {
    if (refused.startsWith("wrong")) await audit.count({ ...kind, result: "refused" });
    return refused;
  }
  const end = await audit.begin(kind);
  const now = app.clock.now();
  const provedBy = byPasskey ? "passkey" : "password";
  const isOpen = await sessions.prove(actor.session.id, now, provedBy);
  await end(isOpen ? "done" : "refused");
  return isOpen ? { ...actor, session: { ...actor.session, provedAt: now, provedBy } } : "signed-out";
}

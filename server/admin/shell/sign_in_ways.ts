import type { AdminServices } from "../frame/services.ts";

/** The ways to sign in that pages without a session offer. */
export interface SignInWays {
  /** What the identity provider is called; undefined without one. */
  provider: string | undefined;
  /** Whether passwords sign users in. */
  passwords: boolean;
}

/** Returns the ways to sign in that there are now. */
export async function signInWays({ admin }: Pick<AdminServices, "admin">): Promise<SignInWays> {
  return { provider: admin.oidc?.name, passwords: await admin.users.acceptPasswords() };
}

import type { Page } from "playwright-core";

/** An authenticator in the browser, with the passkeys in its memory. */
export interface VirtualAuthenticator {
  /** Returns how many passkeys it has. */
  count(): Promise<number>;
  /** Lets it verify its user or not, as a wrong PIN does. */
  setVerified(verified: boolean): Promise<void>;
}

/** Adds an authenticator to a page, whose user is verified at once. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async count() {
      return (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length;
    },
    async setVerified(isUserVerified) {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
  };
}

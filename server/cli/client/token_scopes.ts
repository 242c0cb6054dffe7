import { ALL_SCOPES } from "../../platform/tokens/scopes.ts";
import { readEnvironment } from "../../settings/store/environment.ts";
import { openRunning } from "./open.ts";

/**
 * Returns the scopes of the token in the environment or the token file. All, if no service is running or can be asked: what
 * needs the service then says why it does not work, and who can open the database needs no token.
 */
export async function scopesOf(env: Record<string, string | undefined>): Promise<readonly string[]> {
  try {
    const running = await openRunning(readEnvironment(env));
    return running ? (await running.ownToken()).scopes : ALL_SCOPES;
  } catch {
    return ALL_SCOPES;
  }
}

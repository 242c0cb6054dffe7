/** Visitors who sign up at processes that share a database. */
import { join } from "node:path";
import { issueToken } from "../server/platform/keys/form_token.ts";
import { createKeyring } from "../server/platform/keys/keyring.ts";
import { NAMESPACE } from "../shared/contract.ts";
import { type RunningProgram, runProgram } from "./program.ts";

export const SALT = "a salt for tests, long enough to be one";

export interface TwoProcesses extends AsyncDisposable {
  readonly first: RunningProgram;
  readonly second: RunningProgram;
  /** Sends the signup of visitor `n`, from an IP, to one of the processes in turn. Resolves to the response. */
  signUp(n: number, visitor: { email: string; ip: string }): Promise<Response>;
}

/**
 * Starts two processes, which believe the IP that visitors send.
 *
 * @param env variables of both, with their database
 * @param filters code of the filters of their config file
 */
export async function runTwoProcesses(env: Record<string, string>, filters = ""): Promise<TwoProcesses> {
  const stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "cfbe-visitors-" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const config = join(folder, "cfbe.config.ts");
  const settings = 'settings: { privacy: { ipSource: "x-real-ip" } }';
  await Deno.writeTextFile(config, `export default { ${settings}, filters: { ${filters} } };`);
  const all = { ...env, CFBE_CONFIG: config, CFBE_SALT: SALT };
  const first = stack.use(await runProgram(all));
  const second = stack.use(await runProgram(all));
  const cfbe_token = issueToken(createKeyring([SALT]), Date.now() - 10_000);
  return {
    first,
    second,
    signUp: (n, { email, ip }) =>
      fetch((n % 2 ? first : second).baseUrl + NAMESPACE + "/subscribe", {
        method: "POST",
        headers: { "content-type": "application/json", "x-real-ip": ip },
        body: JSON.stringify({ source: "shortcode", email, cfbe_token }),
      }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A filter that lets any number of visitors sign up. */
export const NO_SITE_LIMIT = "cfbe_signup_site_limit: () => 0";

/** Returns a visitor of a number below 65,536, whose address and IP nobody else has. */
export const visitor = (n: number) => ({ email: `v${n}@example.com`, ip: `198.18.${n >> 8}.${n & 255}` });

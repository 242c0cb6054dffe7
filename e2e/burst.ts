import assert from "node:assert/strict";
import { join } from "node:path";
import { issueToken } from "../server/platform/keys/form_token.ts";
import { createKeyring } from "../server/platform/keys/keyring.ts";
import { keys } from "../server/platform/kv/keys.ts";
import { openKv } from "../server/platform/kv/open.ts";
import type { MailRow } from "../server/sandbox/account/rows.ts";
import { NAMESPACE } from "../shared/contract.ts";
import { runProgram, waitUntil } from "./program.ts";

const SALT = "a salt for tests, long enough to be one";
export const VISITORS = 1_000;
const DELIVERED_WITHIN_MS = 180_000;

const CONFIG = `export default {
  settings: { privacy: { ipSource: "x-real-ip" } },
  filters: { cfbe_signup_site_limit: () => 0 },
};`;

/**
 * Signs up many visitors at once on two processes that share a database. Checks that all are accepted, and that each gets
 * one email.
 *
 * @param database their `CFBE_KV`
 * @param env further variables of both
 */
export async function signUpInBurst(database: string, env: Record<string, string> = {}): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-burst-" });
  await using _folder = { [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
  const config = join(folder, "cfbe.config.ts");
  await Deno.writeTextFile(config, CONFIG);
  const all = { CFBE_KV: database, CFBE_CONFIG: config, CFBE_SALT: SALT, ...env };
  await using first = await runProgram(all);
  await using second = await runProgram(all);

  const cfbe_token = issueToken(createKeyring([SALT]), Date.now() - 10_000);
  const emails = Array.from({ length: VISITORS }, (_, n) => `v${n}@example.com`);
  const begun = performance.now();
  const answers = await Promise.all(emails.map(async (email, n) => {
    const response = await fetch((n % 2 ? first : second).baseUrl + NAMESPACE + "/subscribe", {
      method: "POST",
      headers: { "content-type": "application/json", "x-real-ip": `198.18.${n >> 8}.${n & 255}` },
      body: JSON.stringify({ source: "shortcode", email, cfbe_token }),
    });
    return `${response.status} ${(await response.json()).code}`;
  }));
  console.log(`    answered within ${Math.round(performance.now() - begun)} ms`);
  const counts = Object.fromEntries(
    Object.entries(Object.groupBy(answers, (answer) => answer)).map(([answer, all]) => [answer, all!.length]),
  );
  assert.deepEqual(counts, { "200 pending": VISITORS }, first.log().slice(-2_000));

  const stored = await openKv(database);
  try {
    const mails = () =>
      Array.fromAsync(stored.kv.list<MailRow>({ prefix: keys.sandboxMails() }), ({ value }) => value.to);
    await waitUntil("every visitor has an email", DELIVERED_WITHIN_MS, async () => {
      return new Set(await mails()).size === VISITORS;
    });
    console.log(`    delivered within ${Math.round(performance.now() - begun)} ms`);
    assert.deepEqual((await mails()).toSorted(), emails.toSorted());
  } finally {
    await stored.close();
  }
}

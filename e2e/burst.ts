import assert from "node:assert/strict";
import { keys } from "../server/platform/kv/keys.ts";
import { openKv } from "../server/platform/kv/open.ts";
import type { MailRow } from "../server/sandbox/account/rows.ts";
import { waitUntil } from "./program.ts";
import { NO_SITE_LIMIT, runTwoProcesses, visitor } from "./two_processes.ts";

/** Fewer beside random delays: they take longer than the database may, which then refuses some on purpose. */
export const VISITORS = Deno.env.has("CFBE_TEST_STRESS") ? 250 : 1_000;
const DELIVERED_WITHIN_MS = 180_000;

/**
 * Signs up many visitors at once on two processes that share a database. Checks that all are accepted, and that each gets
 * one email.
 *
 * @param database their `CFBE_KV`
 * @param env further variables of both
 */
export async function signUpInBurst(database: string, env: Record<string, string> = {}): Promise<void> {
  await using processes = await runTwoProcesses({ CFBE_KV: database, ...env }, NO_SITE_LIMIT);
  const visitors = Array.from({ length: VISITORS }, (_, n) => visitor(n));
  const begun = performance.now();
  const answers = await Promise.all(visitors.map(async (one, n) => {
    const response = await processes.signUp(n, one);
    return `${response.status} ${(await response.json()).code}`;
  }));
  console.log(`    answered within ${Math.round(performance.now() - begun)} ms`);
  const counts = Object.fromEntries(
    Object.entries(Object.groupBy(answers, (answer) => answer)).map(([answer, all]) => [answer, all!.length]),
  );
  assert.deepEqual(counts, { "200 pending": VISITORS }, processes.first.log().slice(-2_000));

  const stored = await openKv(database);
  try {
    const mails = () =>
      Array.fromAsync(stored.kv.list<MailRow>({ prefix: keys.sandboxMails() }), ({ value }) => value.to);
    await waitUntil("every visitor has an email", DELIVERED_WITHIN_MS, async () => {
      return new Set(await mails()).size === VISITORS;
    });
    console.log(`    delivered within ${Math.round(performance.now() - begun)} ms`);
    assert.deepEqual((await mails()).toSorted(), visitors.map(({ email }) => email).toSorted());
  } finally {
    await stored.close();
  }
}

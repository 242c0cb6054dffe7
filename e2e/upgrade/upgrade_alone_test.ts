/**
 * An upgrade while people sign up: SIGTERM, then a new process on the same database and port.
 * `deno task test:upgrade` runs it with 100,000 records in the database.
 *
 * Needs the machine to itself: the widget retries for seven seconds, and the new process must be ready by then.
 */
import assert from "node:assert/strict";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import { signFormConfig } from "../../server/forms/public/signed_config.ts";
import { putRecord } from "../../server/signup/record/record.ts";
import type { SignupRecord } from "../../server/signup/record/row.ts";
import type { PublicSettings } from "../../shared/public_settings.ts";
import { en } from "../../shared/texts/en.ts";
import { fetchJsonFrom } from "../../widget/src/loader/fetch_json.ts";
import { sendSignup } from "../../widget/src/signup/send.ts";
import { waitUntil } from "../program.ts";
import { observe } from "../crash/observer.ts";
import { SALT, startStage } from "../crash/stage.ts";
import { testSize } from "../../dev/testing/test_size.ts";

const RECORDS = testSize("CFBE_TEST_UPGRADE_RECORDS", 2_000);
const SIGNUPS_PER_SECOND = 20;
const SECONDS = testSize("CFBE_TEST_UPGRADE_SECONDS", 6);
const DELIVERED_MS = 60_000;
/** Well below the limit of mutations in one commit, including the indexes. */
const RECORDS_PER_COMMIT = 50;

/** Fills a database with subscribers who confirmed 90 days ago. */
async function fill(path: string, list: string): Promise<void> {
  const { kv, close } = await openKv(path);
  const at = Date.now() - 90 * 86_400_000;
  for (let first = 0; first < RECORDS; first += RECORDS_PER_COMMIT) {
    const tx = kv.atomic();
    for (let n = first; n < Math.min(first + RECORDS_PER_COMMIT, RECORDS); n++) {
      const record: SignupRecord = {
        v: 1,
        email: `reader-${n}@example.com`,
        list,
        status: "active",
        since: at,
        listStatus: "active",
        tags: [],
        source: "shortcode",
        createdAt: at,
        updatedAt: at,
      };
      putRecord(tx, null, record);
    }
    await tx.commit();
  }
  close();
}

/**
 * Lets the widget's code run in this process: it sees a browser that is online, and every request to cfbe gets a new
 * IP address. Requests to the provider keep this machine's address.
 */
function simulateVisitors(baseUrl: string): Disposable {
  Object.defineProperty(navigator, "onLine", { value: true, configurable: true });
  const originalFetch = globalThis.fetch;
  let count = 0;
  globalThis.fetch = (input, init) => {
    if (!String(input).startsWith(baseUrl)) return originalFetch(input, init);
    const headers = new Headers(init?.headers);
    headers.set("x-real-ip", `10.${++count >> 16 & 255}.${count >> 8 & 255}.${count & 255}`);
    return originalFetch(input, { ...init, headers });
  };
  return { [Symbol.dispose]: () => globalThis.fetch = originalFetch };
}

Deno.test("during an upgrade, no visitor sees an error, no signup is lost, and old pages still work", async () => {
  await using stage = await startStage();
  await fill(stage.database, stage.list);
  using _ = simulateVisitors(stage.baseUrl);
  const keyring = createKeyring([SALT]);
  // The configuration in a page that was cached before the upgrade.
  const cfbe_cfg = signFormConfig(keyring, { tags: ["cached"], placement: "old-page" });
  const settings = { texts: en.form, locale: "en" } as PublicSettings;

  let server = stage.start();
  await server.ready();
  const emails = Array.from({ length: SIGNUPS_PER_SECOND * SECONDS }, (_, n) => `visitor-${n}@example.com`);
  const responses = emails.map(async (email, n) => {
    await new Promise((resolve) => setTimeout(resolve, n * 1000 / SIGNUPS_PER_SECOND));
    // The widget's own code, including its retries.
    const { success, code } = await sendSignup(fetchJsonFrom(stage.baseUrl), settings, () =>
      Promise.resolve({
        source: "shortcode",
        email,
        cfbe_cfg,
        cfbe_token: issueToken(keyring, Date.now() - 10_000),
      }));
    return `${success} ${code}`;
  });
  const upgraded = (async () => {
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000 / 3));
    server.signal("SIGTERM");
    assert.equal((await server.ended).code, 0);
    server = stage.start();
    await server.ready();
  })();

  assert.deepEqual([...new Set(await Promise.all(responses))], ["true pending"]);
  await upgraded;
  const observer = observe(stage);
  await waitUntil(
    "every signup reaches the provider",
    DELIVERED_MS,
    async () => {
      const subscribers = await stage.provider.subscribers();
      return emails.every((email) => subscribers.has(email));
    },
  );
  const mailCounts = await stage.provider.mailCounts();
  for (const email of emails) {
    assert.equal(mailCounts.get(email), 1, email);
    const [status] = await observer.status(email);
    assert.deepEqual(status?.record.tags, ["cached", "placement-old-page"], email);
  }
  const { length: earlier } = await observer.status(`reader-${RECORDS - 1}@example.com`);
  assert.equal(earlier, 1, "a record from before the upgrade");
});

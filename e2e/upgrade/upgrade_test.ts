/**
 * The program is replaced by its next version while people sign up: SIGTERM, then a new process on the same
 * database and port. `deno task test:upgrade` does it with 100,000 records in the database.
 */
import assert from "node:assert/strict";
import { createKeyring } from "../../server/keys/keyring.ts";
import { issueToken } from "../../server/keys/form_token.ts";
import { openKv } from "../../server/kv/open.ts";
import { signFormConfig } from "../../server/signup/form/signed_config.ts";
import { putRecord } from "../../server/signup/record/record.ts";
import type { SignupRecord } from "../../server/signup/record/row.ts";
import type { PublicSettings } from "../../shared/public_settings.ts";
import { en } from "../../shared/texts/en.ts";
import { askAt } from "../../widget/src/loader/ask.ts";
import { send } from "../../widget/src/signup/submit.ts";
import { eventually } from "../program.ts";
import { outsideOf } from "../crash/outside.ts";
import { SALT, setStage } from "../crash/stage.ts";

const RECORDS = Number(Deno.env.get("CFBE_TEST_UPGRADE_RECORDS") ?? 2_000);
const A_SECOND = 20;
const SECONDS = Number(Deno.env.get("CFBE_TEST_UPGRADE_SECONDS") ?? 6);
const SETTLED_MS = 60_000;
/** Of records, with their indexes: far below the mutations that one commit may hold. */
const A_COMMIT = 50;

/** Fills a database as an old site's is filled: confirmed, long ago. */
async function fill(path: string, list: string): Promise<void> {
  const { kv, close } = await openKv(path);
  const at = Date.now() - 90 * 86_400_000;
  for (let first = 0; first < RECORDS; first += A_COMMIT) {
    const tx = kv.atomic();
    for (let n = first; n < Math.min(first + A_COMMIT, RECORDS); n++) {
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
 * Makes this process a browser that is online, and every request to the service one from an IP of its own, as visitors
 * have. Requests to the provider stay those of this machine.
 */
function playVisitors(service: string): Disposable {
  Object.defineProperty(navigator, "onLine", { value: true, configurable: true });
  const bare = globalThis.fetch;
  let count = 0;
  globalThis.fetch = (input, init) => {
    if (!String(input).startsWith(service)) return bare(input, init);
    const headers = new Headers(init?.headers);
    headers.set("x-real-ip", `10.${++count >> 16 & 255}.${count >> 8 & 255}.${count & 255}`);
    return bare(input, { ...init, headers });
  };
  return { [Symbol.dispose]: () => globalThis.fetch = bare };
}

Deno.test("replaced by its next version while people sign up, no visitor sees an error, nothing is lost, old pages go on working", async () => {
  await using stage = await setStage();
  await fill(stage.database, stage.list);
  using _ = playVisitors(stage.baseUrl);
  const keyring = createKeyring([SALT]);
  // What a page that was cached before the update holds.
  const cfbe_cfg = signFormConfig(keyring, { tags: ["cached"], placement: "old-page" });
  const settings = { texts: en, locale: "en" } as PublicSettings;

  let own = stage.start();
  await own.ready();
  const emails = Array.from({ length: A_SECOND * SECONDS }, (_, n) => `visitor-${n}@example.com`);
  const answers = emails.map(async (email, n) => {
    await new Promise((resolve) => setTimeout(resolve, n * 1000 / A_SECOND));
    // The widget's own code, with all its patience.
    const { success, code } = await send(askAt(stage.baseUrl), settings, () =>
      Promise.resolve({
        source: "shortcode",
        email,
        cfbe_cfg,
        cfbe_token: issueToken(keyring, Date.now() - 10_000),
      }));
    return `${success} ${code}`;
  });
  const replaced = (async () => {
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000 / 3));
    own.signal("SIGTERM");
    assert.equal((await own.ended).code, 0);
    own = stage.start();
    await own.ready();
  })();

  assert.deepEqual([...new Set(await Promise.all(answers))], ["true pending"]);
  await replaced;
  const outside = outsideOf(stage);
  await eventually(
    "every signup is at the provider",
    SETTLED_MS,
    async () => emails.every(((there) => (email) => there.has(email))(await outside.subscribers())),
  );
  const mails = await outside.mails();
  for (const email of emails) {
    assert.equal(mails.get(email), 1, email);
    const [status] = await outside.status(email);
    assert.deepEqual(status?.record.tags, ["cached", "placement-old-page"], email);
  }
  const { length: old } = await outside.status(`reader-${RECORDS - 1}@example.com`);
  assert.equal(old, 1, "what was there before");
});

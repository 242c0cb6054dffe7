import assert from "node:assert/strict";
import { type Clock, systemClock } from "../../platform/deps.ts";
import { openDenoKv } from "../../platform/kv/engines/deno_kv.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { type Served, serveSandbox } from "../../sandbox/testing/serve.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";
import { restore } from "./restore.ts";

const RETRIED_BY_MS = 6.5 * 60 * 60 * 1000;
const TOKEN = "a-token-for-the-operator";

function start(
  served: Served,
  file: string,
  { run = true, clock = systemClock }: { run?: boolean; clock?: Clock } = {},
): Promise<TestProgram> {
  return startProgram({
    run,
    clock,
    env: {
      CFBE_KV: file,
      CFBE_API_TOKEN: TOKEN,
      CFBE_PROVIDER: "bluefox",
      CFBE_PROVIDER_URL: served.sandbox.apiUrl,
      CFBE_PROVIDER_PROJECT: served.provisioned.project,
      CFBE_PROVIDER_API_KEY: served.provisioned.apiKey,
    },
    file: {
      settings: { general: { defaultList: served.provisioned.list } },
      filters: { cfbe_signup_site_limit: () => 0 },
    },
  });
}

/** Signs people up until `stop`, and collects the addresses whose signup was acknowledged. */
function signUpMany(program: TestProgram) {
  const acknowledged: string[] = [];
  let stopped = false;
  const people = Array.from({ length: 4 }, async (_, row) => {
    for (let n = 0; !stopped; n++) {
      const email = `p${row}-${n}@example.com`;
      const response = await program.subscribe({ email }, `10.${row}.${n >> 8}.${n & 255}`);
      if ((await response.json()).code === "pending") acknowledged.push(email);
    }
  });
  return {
    acknowledged,
    async reach(count: number) {
      while (acknowledged.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    async stop() {
      stopped = true;
      await Promise.all(people);
    },
  };
}

for (const delivering of [true, false]) {
  const when = delivering ? "while signups are delivered" : "before they are delivered";
  Deno.test(
    `a backup taken ${when} and restored elsewhere contains every acknowledged signup, and nobody gets a second email`,
    () => backUpAndRestore(delivering),
  );
}

async function backUpAndRestore(delivering: boolean) {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-backup-" });
  try {
    await using served = await serveSandbox();
    const before: string[] = [];
    const file = `${folder}/backup.gz`;
    {
      await using program = await start(served, `${folder}/a.kv`, { run: delivering });
      const people = signUpMany(program);
      await people.reach(60);
      before.push(...people.acknowledged);
      const response = await fetch(`${program.baseUrl}/ops/backup`, {
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      await Deno.writeFile(file, response.body!);
      await people.reach(before.length + 20);
      await people.stop();
      // The old service keeps running after the backup, so the new one can't know what it sends now.
      if (!delivering) program.runner.start();
      await program.runner.idle();
    }
    const mails = async () => {
      const all = await Array.fromAsync(served.kv.list<{ to: string }>({ prefix: keys.sandboxMails() }));
      return all.map(({ value }) => value.to);
    };
    const mailedBefore = (await mails()).length;
    assert.ok(mailedBefore >= before.length);

    {
      const kv = await openDenoKv(`${folder}/b.kv`);
      await using sameSalt = await start(served, ":memory:");
      await restore({ ...sameSalt.services, kv, open: async () => (await Deno.open(file)).readable });
      kv.close();
    }
    let clockOffset = 0;
    const clock = { ...systemClock, now: () => Date.now() + clockOffset };
    await using restored = await start(served, `${folder}/b.kv`, { clock });
    // Deliveries that failed under this load wait at most six hours for their retry.
    for (let tries = 0; tries < 3; tries++) {
      await restored.runner.idle();
      clockOffset += RETRIED_BY_MS;
    }
    for (const email of before) {
      const { value } = await restored.services.kv.get<SignupRecord>(
        keys.signup(email, served.provisioned.list),
      );
      assert.equal(value?.status, "pending", email);
    }
    assert.equal((await Array.fromAsync(restored.services.kv.list({ prefix: keys.dueAll() }))).length, 0);
    const mailed = await mails();
    assert.equal(new Set(mailed).size, mailed.length, "one email per address");
    assert.equal(mailed.length, mailedBefore, "all of them sent before the restore");
    const next = await restored.subscribe({ email: "new@example.com" });
    assert.equal((await next.json()).code, "pending");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

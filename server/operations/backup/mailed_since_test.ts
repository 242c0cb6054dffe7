import assert from "node:assert/strict";
import { systemClock } from "../../platform/deps.ts";
import { keys } from "../../platform/kv/keys.ts";
import { openKv } from "../../platform/kv/open.ts";
import { type Served, serveSandbox } from "../../sandbox/testing/serve.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { resend } from "../../subscribers/person/actions.ts";
import { restore } from "./restore.ts";
import { takeBackup } from "./snapshot.ts";
import { readBytes, streamOf } from "./testing/backups.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

Deno.test("who signed up after the backup gets no second email for a day after its restore, and a new address gets its first", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-mailed-" });
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const start = (served: Served, file: string) =>
    startProgram({
      clock,
      env: {
        CFBE_KV: file,
        CFBE_PROVIDER: "bluefox",
        CFBE_PROVIDER_URL: served.sandbox.apiUrl,
        CFBE_PROVIDER_PROJECT: served.provisioned.project,
        CFBE_PROVIDER_API_KEY: served.provisioned.apiKey,
      },
      file: { settings: { general: { defaultList: served.provisioned.list } } },
    });
  try {
    await using served = await serveSandbox();
    const mailsTo = async (email: string) =>
      (await Array.fromAsync(served.kv.list({ prefix: keys.sandboxMailsTo(email) }))).length;
    {
      await using before = await start(served, `${folder}/a.kv`);
      const bytes = await readBytes(takeBackup(before.services));
      await (await before.subscribe({ email: "ann@example.com" })).body?.cancel();
      await before.runner.idle();
      assert.equal(await mailsTo("ann@example.com"), 1);
      const { kv, close } = await openKv(`${folder}/b.kv`);
      await restore({ ...before.services, kv, open: () => Promise.resolve(streamOf(bytes)) });
      close();
    }
    await using after = await start(served, `${folder}/b.kv`);
    for (const email of ["ann@example.com", "new@example.com"]) {
      assert.equal((await (await after.subscribe({ email })).json()).code, "pending");
    }
    await after.runner.idle();
    assert.equal(await mailsTo("ann@example.com"), 1);
    assert.equal(await mailsTo("new@example.com"), 1);
    const { list } = served.provisioned;
    const ann = { email: "ann@example.com", list };
    assert.equal((await resend(after.services, ann, "admin")).kind, "refused");
    ahead = DAY_MS + 1000;
    await (await after.subscribe({ email: "ann@example.com" })).body?.cancel();
    await after.runner.idle();
    assert.equal(await mailsTo("ann@example.com"), 2);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

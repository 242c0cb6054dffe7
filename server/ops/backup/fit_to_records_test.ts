import assert from "node:assert/strict";
import { keys } from "../../kv/keys.ts";
import { harness, LIST } from "../../testing/harness.ts";
import { restore } from "./restore.ts";
import { takeBackup } from "./snapshot.ts";

const ANN = "ann@example.com";

Deno.test("a signup whose delivery was decided while the backup was read is delivered after the restore, with one email", async () => {
  await using b = await harness();
  await (await b.post({ email: ANN })).body?.cancel();
  const readEarly = await b.record(ANN);
  const { emit } = b.services.hooks;
  // The decision is stored, but the job is not finished yet.
  b.services.hooks.emit = () => Promise.reject(new Error("not now"));
  await b.work();
  b.services.hooks.emit = emit;
  assert.equal((await b.record(ANN))?.status, "pending");
  await b.kv.set(keys.signup(ANN, LIST), readEarly);
  const backup = new Uint8Array(
    await new Response(takeBackup(b.services) as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer(),
  );

  await restore({ ...b.services, replace: true, open: () => Promise.resolve(new Blob([backup]).stream()) });
  await b.clock.advance(60_000);
  await b.work();

  assert.equal((await b.record(ANN))?.status, "pending");
  assert.deepEqual(b.provider.mails, [ANN]);
  assert.deepEqual(b.subscribedEvents.map(({ outcome }) => outcome), ["pending"]);
});

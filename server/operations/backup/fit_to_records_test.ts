import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import { restore } from "./restore.ts";
import { takeBackup } from "./snapshot.ts";

const ANN = "ann@example.com";

Deno.test("a signup whose delivery was decided while the backup was read is delivered after the restore, with one email", async () => {
  await using app = await harness();
  await (await app.post({ email: ANN })).body?.cancel();
  const readEarly = await app.record(ANN);
  const { emit } = app.services.hooks;
  // The decision is stored, but the job is not finished yet.
  app.services.hooks.emit = () => Promise.reject(new Error("not now"));
  await app.work();
  app.services.hooks.emit = emit;
  assert.equal((await app.record(ANN))?.status, "pending");
  await app.kv.set(keys.signup(ANN, LIST), readEarly);
  const backup = new Uint8Array(
    await new Response(takeBackup(app.services) as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer(),
  );

  await restore({ ...app.services, replace: true, open: () => Promise.resolve(new Blob([backup]).stream()) });
  await app.clock.advance(60_000);
  await app.work();

  assert.equal((await app.record(ANN))?.status, "pending");
  assert.deepEqual(app.provider.mails, [ANN]);
  assert.deepEqual(app.subscribedEvents.map(({ outcome }) => outcome), ["pending"]);
});

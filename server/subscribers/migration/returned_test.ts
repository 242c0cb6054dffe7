import assert from "node:assert/strict";
import type { SignupRecord } from "../../signup/record/row.ts";
import { putRecord } from "../../signup/record/record.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import {
  addSignup,
  finishMove,
  importsOf,
  migrationWorld,
  NEW,
  notMoved,
  startMove,
} from "./testing/world.ts";

/** People who left, signed up again, and whose second confirmation cfbe has not heard of. */

const RETURNED = "returned@example.com";

Deno.test("a move takes somebody who came back and confirmed again, although cfbe knows them as pending", async () => {
  await using w = await migrationWorld();
  await addSignup(w, RETURNED, "active", { listStatus: "pending", listStatusAt: w.app.clock.now() });
  await startMove(w);
  const run = await finishMove(w);
  assert.deepEqual([run.moved, run.skipped], [1, {}]);
  assert.deepEqual(await w.fresh.status({ list: NEW, email: RETURNED }), { kind: "found", status: "active" });
  for (const list of [LIST, NEW]) assert.equal((await w.app.record(RETURNED, list))!.listStatus, "active");
});

Deno.test("a move does not take somebody who came back and has not confirmed again", async () => {
  await using w = await migrationWorld();
  await addSignup(w, RETURNED, "pending", { listStatus: "pending" });
  await startMove(w);
  assert.equal((await finishMove(w)).moved, 0);
  assert.equal((await notMoved(w))[0]!.reason, "The person has not confirmed at the old provider.");
  assert.equal(importsOf(w, RETURNED), 0);
});

for (const known of ["active", "pending"] as const) {
  Deno.test(`somebody known as ${known} who leaves and signs up again during their import is not moved, and is erased at the new provider`, async () => {
    await using w = await migrationWorld();
    const { app } = w;
    await addSignup(w, RETURNED, "active", { listStatus: known, listStatusAt: app.clock.now() });
    const { importConfirmed } = w.fresh;
    w.fresh.importConfirmed = async (...args) => {
      const result = await importConfirmed(...args);
      const before = (await app.record(RETURNED))!;
      const after: SignupRecord = { ...before, listStatus: "pending", listStatusAt: app.clock.now() + 1 };
      await putRecord(app.kv.atomic(), before, after).commit();
      return result;
    };
    await startMove(w);
    assert.equal((await finishMove(w)).moved, 0);
    assert.equal(await app.record(RETURNED, NEW), null);
    assert.ok(w.fresh.calls.includes(`erase ${RETURNED}`), w.fresh.calls.join());
    assert.equal((await app.record(RETURNED))?.listStatus, "pending");
  });
}

import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { createBatches } from "../../platform/kv/batches.ts";
import { listing } from "../../platform/kv/listing.ts";
import { wrap } from "../../platform/kv/wrap.ts";
import { LONG_LIST, longEmail, longestRows } from "../../operations/backup/testing/longest_rows.ts";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import { putConsent } from "./consents.ts";
import { eraseSignup } from "./erase.ts";
import { putRecord } from "./record.ts";
import type { ConsentRow, SignupRecord } from "./row.ts";

const ADA = "ada@example.com";

Deno.test("a consent that is added during an erasure is erased with the record", async () => {
  await using app = await harness();
  await app.post({ email: ADA });
  let signsUpAgain = true;
  const kv = wrap(app.kv, {
    ...listing(async (...args) => {
      const page = await app.kv.page(...args);
      if (!page.more && signsUpAgain) {
        signsUpAgain = false;
        assert.equal((await app.post({ email: ADA })).status, 200);
      }
      return page;
    }),
  });
  await eraseSignup({ kv, clock: app.clock, random: app.services.random }, { email: ADA, list: LIST });
  assert.equal(signsUpAgain, false);
  const left = (await Array.fromAsync(app.kv.list({ prefix: keys.all() }))).map(({ key }) => key[2]);
  assert.deepEqual(left.filter((family) => /signup|consent|by_status/.test(String(family))), []);
});

Deno.test("a signup with the longest address and list is erased with all its consents, however many", async () => {
  await using app = await harness();
  const target = { email: longEmail(1), list: LONG_LIST };
  for await (const { key, value } of longestRows(2, 0)) {
    if (key[2] === "signup" && key[3] === target.email) {
      const tx = app.kv.atomic();
      putRecord(tx, null, value as SignupRecord);
      await tx.commit();
    }
  }
  const batches = createBatches(app.kv);
  for (let at = 0; at < 700; at++) {
    const consent: ConsentRow = {
      v: 1,
      id: crypto.randomUUID(),
      at,
      given: true,
      locale: "en",
      ip: null,
      source: "popup",
    };
    await batches.add((tx) => putConsent(tx, target, consent));
  }
  await batches.flush();
  assert.equal(
    await eraseSignup({ kv: app.kv, clock: app.clock, random: app.services.random }, target),
    true,
  );
  const left = (await Array.fromAsync(app.kv.list({ prefix: keys.all() }))).map(({ key }) => key[2]);
  assert.deepEqual(left.filter((family) => /signup|consent|by_status|subscriber/.test(String(family))), []);
});

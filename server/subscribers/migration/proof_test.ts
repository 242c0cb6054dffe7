import assert from "node:assert/strict";
import { LIST } from "../../../dev/testing/harness.ts";
import { checkAudience } from "../../shops/carts/audience.ts";
import { putConsent } from "../../signup/record/consents.ts";
import type { ConsentRow } from "../../signup/record/row.ts";
import {
  addSignup,
  finishMove,
  type MigrationWorld,
  migrationWorld,
  NEW,
  startMove,
} from "./testing/world.ts";

/** Which proofs of consent a move takes. */

const ADA = "ada@example.com";
const STRANGER = "203.0.113.66";

/** Adds a proof of Ada's at a time relative to her confirmation. */
async function addProof({ app }: MigrationWorld, id: string, afterMs: number, more: Partial<ConsentRow>) {
  const { confirmed } = (await app.record(ADA))!;
  const tx = app.kv.atomic();
  putConsent(tx, { email: ADA, list: LIST }, {
    ...{ v: 1, id, at: confirmed!.at + afterMs, given: true, textHash: "hash", locale: "en" },
    ...{ ip: STRANGER, source: "popup", ...more },
  });
  await tx.commit();
}

/** Moves Ada. @returns the IP that the new provider gets, and her proofs there, newest first */
async function moveAda(w: MigrationWorld) {
  let ip: string | undefined;
  const { importConfirmed } = w.fresh;
  w.fresh.importConfirmed = (target, person, signal) => {
    ip = person.ip;
    return importConfirmed(target, person, signal);
  };
  await startMove(w);
  assert.equal((await finishMove(w)).moved, 1);
  return { ip, proofs: (await w.app.consents(ADA, NEW)).toReversed().map(({ id }) => id) };
}

Deno.test("a move takes the proofs of consent until the confirmation, and no later one of a stranger", async () => {
  await using w = await migrationWorld();
  const { app } = w;
  await addSignup(w, ADA);
  await addProof(w, "c2", -500, { ip: "192.0.2.8", given: false });
  await addProof(w, "c3", 0, { ip: "192.0.2.9", given: false });
  await addProof(w, "stranger", 1, { given: false });
  assert.deepEqual(await moveAda(w), { ip: "192.0.2.9", proofs: ["c3", "c2", "c1"] });
  const { settings, signupProviders } = app.services;
  const deps = { kv: app.kv, provider: app.provider, signupProviders, settings: settings.current() };
  const audience = await checkAudience(deps, ADA, new AbortController().signal);
  assert.deepEqual(audience, { kind: "allowed" }, "they still get reminders of their carts");
});

Deno.test("a move takes the newest proof of consent if there is none until the confirmation", async () => {
  await using w = await migrationWorld();
  const at = w.app.clock.now();
  const { app } = w;
  await addSignup(w, ADA, "active", { confirmed: { at: 0, by: "webhook" } });
  await addProof(w, "c2", at, { ip: "192.0.2.8" });
  assert.deepEqual(await moveAda(w), { ip: "192.0.2.8", proofs: ["c2"] });
  assert.equal((await app.consents(ADA, LIST)).length, 2);
});

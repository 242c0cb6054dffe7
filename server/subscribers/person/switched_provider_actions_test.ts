import assert from "node:assert/strict";
import { ADA, choose, NEW_LIST, signUp, switching } from "../../signup/confirm/testing/switching.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { allowAgain, checkNow, resend } from "./actions.ts";
import { previewBulk } from "../bulk/preview.ts";

const DAY = 24 * 60 * 60 * 1000;
const TARGET = { email: ADA, list: LIST };
const KEY_REMOVED = "The signup is at a provider that was used before, and whose API key is no longer set.";

/** Starts with a signup of Ada that is pending at the old provider, a day after the switch. */
async function switched() {
  const world = await switching();
  await signUp(world, ADA);
  await choose(world, "mailerlite");
  await world.app.clock.advance(DAY);
  return world;
}

Deno.test("an admin's resend is sent by the provider where the signup is pending", async () => {
  await using world = await switched();
  const { app, old, fresh } = world;
  assert.deepEqual(await resend(app.services, TARGET, "grace"), { kind: "queued" });
  await app.work();
  assert.deepEqual([old.mails, fresh.mails], [[ADA, ADA], []]);
  assert.equal((await app.record(ADA))!.provider, "bluefox");
});

Deno.test("whether a resend is possible depends on the signup's own provider", async () => {
  await using world = await switched();
  const { app: { services, clock }, old, fresh } = world;
  fresh.capabilities = { ...fresh.capabilities, resend: false };
  const preview = () => previewBulk(services, "resend", { rows: [TARGET] }, clock.now());
  assert.equal((await preview()).possible, 1);
  old.capabilities = { ...old.capabilities, resend: false };
  assert.deepEqual((await preview()).skipped, { "This provider cannot resend confirmation emails.": 1 });
  assert.equal((await resend(services, TARGET, "grace")).kind, "refused");
});

Deno.test("somebody who signs up again after the switch gets the confirmation email of the new provider", async () => {
  await using world = await switched();
  const { app, old, fresh } = world;
  await signUp(world, ADA);
  assert.deepEqual([old.mails, fresh.mails], [[ADA], [ADA]]);
  // Both confirmations are followed.
  const records = [(await app.record(ADA))!, (await app.record(ADA, NEW_LIST))!];
  assert.deepEqual(records.map(({ provider, status }) => [provider, status]), [
    ["bluefox", "pending"],
    ["mailerlite", "pending"],
  ]);
});

Deno.test("a person who left the old provider's list is resubscribed there, not at the new one", async () => {
  await using world = await switched();
  const { app, old, fresh } = world;
  old.put(LIST, ADA, "unsubscribed");
  await checkNow(app.services, TARGET, "grace");
  await app.work();
  assert.deepEqual(await allowAgain(app.services, TARGET, "grace", "by phone"), { kind: "queued" });
  fresh.nextResults.reactivate.push(stubTrouble());
  await app.work();
  assert.equal((await app.record(ADA))!.listStatus, "active");
});

Deno.test("without the old provider's key, its signups can't be checked, resent or resubscribed, and the reason says so", async () => {
  await using world = await switched();
  const { services } = world.app;
  await services.settings.save("general", { apiKey: "" });
  const refused = { kind: "refused", reason: KEY_REMOVED };
  assert.deepEqual(await checkNow(services, TARGET, "grace"), refused);
  assert.deepEqual(await resend(services, TARGET, "grace"), refused);
  assert.deepEqual(await allowAgain(services, TARGET, "grace", "by phone"), refused);
});

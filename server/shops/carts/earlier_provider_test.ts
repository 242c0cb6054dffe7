/** Reminders to people who signed up at a provider that is no longer chosen. */
import assert from "node:assert/strict";
import {
  ADA,
  choose,
  NEW_LIST,
  signUp,
  type Switching,
  switching,
} from "../../signup/confirm/testing/switching.ts";
import { CART, HOUR_MS } from "../systems/testing/checkout.ts";
import { putRecord } from "../../signup/record/record.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";

/** Someone who confirmed at the old provider, before the new one was chosen. */
async function confirmedAtOld(): Promise<Switching> {
  const world = await switching({
    general: { modules: { carts: true }, origins: ["https://shop.example"] },
    carts: { template: "t", audience: "consented" },
  });
  await signUp(world, ADA);
  world.old.put(LIST, ADA, "active");
  await world.app.services.poll.run();
  assert.equal((await world.app.record(ADA))!.status, "active");
  await choose(world, "mailerlite");
  return world;
}

/** Abandons a cart and waits for its reminder. @returns the reminders that each provider sent */
async function abandonCart({ app, old, fresh }: Switching) {
  await app.services.carts.change("s".repeat(22), { email: ADA, content: CART });
  await app.clock.advance(HOUR_MS);
  await app.work();
  return { old: old.triggered.length, fresh: fresh.triggered.length };
}

Deno.test("a person who confirmed at an earlier provider gets reminders, from the chosen one", async () => {
  await using world = await confirmedAtOld();
  assert.deepEqual(await abandonCart(world), { old: 0, fresh: 1 });
});

Deno.test("a person who left the list at an earlier provider gets no reminder", async () => {
  await using world = await confirmedAtOld();
  world.old.put(LIST, ADA, "unsubscribed");
  // A list with the same ID at the chosen provider does not count.
  world.fresh.put(LIST, ADA, "active");
  assert.deepEqual(await abandonCart(world), { old: 0, fresh: 0 });
});

Deno.test("a reminder waits while the earlier provider is down, and is not sent without its key", async () => {
  await using world = await confirmedAtOld();
  world.old.nextResults.status.push(stubTrouble());
  assert.deepEqual(await abandonCart(world), { old: 0, fresh: 0 });
  await world.app.clock.advance(HOUR_MS);
  await world.app.work();
  assert.equal(world.fresh.triggered.length, 1);

  await using other = await confirmedAtOld();
  await other.app.services.settings.save("general", { apiKey: "" });
  assert.deepEqual(await abandonCart(other), { old: 0, fresh: 0 });
  assert.deepEqual((await other.app.queue.list({ state: "waiting" })).rows.map(({ name }) => name), []);
});

Deno.test("an outage of an earlier provider delays no reminder to a person who confirmed at the chosen one", async () => {
  await using world = await confirmedAtOld();
  await signUp(world, ADA);
  world.fresh.put(NEW_LIST, ADA, "active");
  await world.app.services.poll.run();
  world.old.nextResults.status.push(stubTrouble());
  assert.deepEqual(await abandonCart(world), { old: 0, fresh: 1 });
});

Deno.test("after a move to the chosen provider, only the status there counts", async () => {
  await using world = await confirmedAtOld();
  const { app, fresh } = world;
  const before = (await app.record(ADA))!;
  const migration = { run: 1, to: "mailerlite", list: NEW_LIST, result: "moved" } as const;
  await putRecord(app.kv.atomic(), before, { ...before, migration }).commit();
  await putRecord(app.kv.atomic(), null, { ...before, list: NEW_LIST, provider: "mailerlite" }).commit();
  fresh.put(NEW_LIST, ADA, "unsubscribed");
  assert.deepEqual(await abandonCart(world), { old: 0, fresh: 0 });
});

/** Coupons for people who confirmed at a provider that is no longer chosen. */
import assert from "node:assert/strict";
import { ADA, choose, signUp, type Switching, switching } from "../../signup/confirm/testing/switching.ts";
import { HOUR_MS } from "../systems/testing/checkout.ts";
import { startShop } from "../systems/testing/shop_double.ts";
import { LIST } from "../../../dev/testing/harness.ts";

/** Someone whose coupon is not sent yet when the new provider is chosen. */
async function withCouponAtSwitch(act: (world: Switching) => Promise<void>): Promise<void> {
  await using shop = startShop("generic", () => world.app.clock.now());
  await using world: Switching = await switching({
    general: { modules: { coupons: true } },
    checkout: shop.settings,
    coupon: { template: "t", prefix: "hi" },
  });
  await signUp(world, ADA);
  world.old.put(LIST, ADA, "active");
  await world.app.services.poll.run();
  await choose(world, "mailerlite");
  await act(world);
}

const mailed = ({ old, fresh }: Switching) => ({
  old: old.transactional.length,
  fresh: fresh.transactional.length,
});

Deno.test("a person who confirmed at the earlier provider gets the coupon, from the chosen one", async () => {
  await withCouponAtSwitch(async (world) => {
    await world.app.work();
    assert.deepEqual(mailed(world), { old: 0, fresh: 1 });
  });
});

Deno.test("a person who left the list at the earlier provider gets no coupon", async () => {
  await withCouponAtSwitch(async (world) => {
    world.old.put(LIST, ADA, "unsubscribed");
    world.fresh.put(LIST, ADA, "active");
    await world.app.work();
    assert.deepEqual(mailed(world), { old: 0, fresh: 0 });
    assert.deepEqual((await world.app.queue.list({ state: "waiting" })).rows, []);
  });
});

Deno.test("without the key of the earlier provider, a coupon waits for it, and its job says so", async () => {
  await withCouponAtSwitch(async (world) => {
    const { services, queue, clock } = world.app;
    await services.settings.save("general", { apiKey: "" });
    await world.app.work();
    assert.deepEqual(mailed(world), { old: 0, fresh: 0 });
    const [job] = (await queue.list({ state: "waiting" })).rows;
    assert.match(job!.history.at(-1)!.note, /belongs to bluefox, whose API key is no longer set/);
    await services.settings.save("general", { apiKey: "bluefox-key" });
    await clock.advance(HOUR_MS);
    await world.app.work();
    assert.deepEqual(mailed(world), { old: 0, fresh: 1 });
  });
});

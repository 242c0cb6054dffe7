/**
 * The real server with a provider and a shop that process a request and then reset the connection. No email, coupon
 * or contact is created twice, and none is lost.
 */
import assert from "node:assert/strict";
import { systemClock } from "../server/platform/deps.ts";
import { type Served, serveSandbox } from "../server/sandbox/testing/serve.ts";
import type { PartialSettings } from "../server/settings/schema/schema.ts";
import { type Checkout, HOUR_MS, startCheckout } from "../server/shops/systems/testing/checkout.ts";
import { type ShopDouble, startShop } from "../server/shops/systems/testing/shop_double.ts";
import { eventually } from "../dev/testing/eventually.ts";
import { type Faulty, forwardTo, startFaulty } from "../dev/testing/faulty/faulty.ts";

const PEOPLE = Array.from({ length: 10 }, (_, n) => `person-${n}@example.com`);
const SUBSCRIBE = /\/subscribers$/;
const TRIGGERED = /\/send-triggered$/;
const TRANSACTIONAL = /\/send-transactional$/;
const CONTACTS = /\/contacts$/;
const COUPON = /./;

interface World extends AsyncDisposable {
  checkout: Checkout;
  provider: Faulty;
  shop: Faulty;
  coupons: ShopDouble["coupons"];
  /** Returns the emails of one kind to an address, from the provider's inbox. */
  mails(email: string, kind: string): Promise<unknown[]>;
  /** Opens the confirmation link, and runs the poll. */
  confirm(email: string): Promise<void>;
  contact(email: string): Promise<Record<string, unknown>>;
}

/** Lets the next write request to a path be processed and then reset. */
async function resetNext(remote: Faulty, path: RegExp): Promise<void> {
  let left = 1;
  await remote.keepOpen();
  remote.fail(
    "resets after storing",
    ({ method, target }) => method !== "GET" && path.test(target) && left-- > 0,
  );
}

/** Returns the number of POST requests that a remote system received at a path. */
const count = ({ received }: Faulty, path: RegExp) =>
  received.filter(({ method, target }) => method === "POST" && path.test(target)).length;

async function startWorld(modules: Record<string, boolean>, settings: PartialSettings = {}): Promise<World> {
  let clock = systemClock;
  const now = () => clock.now();
  const served: Served = await serveSandbox({
    clock: { now, sleep: (ms, signal) => systemClock.sleep(ms, signal) },
  });
  const { list, lists, project, apiKey } = served.provisioned;
  const provider = await startFaulty(forwardTo(new URL(served.baseUrl).origin));
  const double = startShop("generic", now);
  const shop = await startFaulty(forwardTo(double.url));
  const checkout = await startCheckout(
    {
      coupon: { prefix: "hello", amount: 15, validDays: 14, template: "coupon" },
      carts: { template: "cart" },
      orders: { templates: { processing: "thanks" } },
      ...settings,
      general: { defaultList: list, knownLists: lists, modules: { carts: false, ...modules } },
      checkout: { ...double.settings, shopUrl: double.settings.shopUrl!.replace(double.url, shop.url) },
    },
    "",
    {
      CFBE_PROVIDER: "bluefox",
      CFBE_PROVIDER_URL: provider.url + new URL(served.sandbox.apiUrl).pathname,
      CFBE_PROVIDER_PROJECT: project,
      CFBE_PROVIDER_API_KEY: apiKey,
    },
  );
  clock = checkout.clock;
  const inbox = async (email: string) =>
    (await served.json(`/sandbox/inbox.json?email=${encodeURIComponent(email)}`)).mails;
  return {
    checkout,
    provider,
    shop,
    coupons: double.coupons,
    mails: async (email, kind) => (await inbox(email)).filter((mail: { kind: string }) => mail.kind === kind),
    async confirm(email) {
      await (await fetch((await inbox(email))[0].links.confirm)).body?.cancel();
      await checkout.program.services.poll.run();
      await checkout.runFor(0);
    },
    async contact(email) {
      const response = await served.api(`/contacts/${encodeURIComponent(email)}`);
      return (await response.json()).result;
    },
    async [Symbol.asyncDispose]() {
      await checkout[Symbol.asyncDispose]();
      for (const each of [provider, shop, double, served]) await each[Symbol.asyncDispose]();
    },
  };
}

/** Signs up, and lets the first delivery attempt run. */
async function signUp({ checkout }: World, email: string, at: number): Promise<void> {
  const response = await checkout.program.subscribe({ email }, `192.0.2.${at + 1}`);
  assert.equal(response.status, 200, await response.text());
  await checkout.runFor(0);
}

/** Waits until the reset attempt has failed, and lets its retry run. */
async function retry({ checkout: { program, clock, runFor } }: World): Promise<void> {
  let due: number | undefined;
  const failed = async () => {
    const { rows } = await program.queue.list({ state: "waiting" });
    due = rows.find(({ failures }) => failures > 0)?.due;
    return due !== undefined;
  };
  await eventually("the attempt has failed", failed);
  await runFor(Math.max(0, due! - clock.now()));
  await eventually("the retry is done", async () => !await failed());
}

/** Waits for an email, and counts again after a day, in case another one is sent. */
async function countMailsAfterDay(world: World, email: string, kind: string): Promise<number> {
  await eventually("an email arrives", async () => (await world.mails(email, kind)).length > 0);
  await world.checkout.runFor(24 * HOUR_MS);
  return (await world.mails(email, kind)).length;
}

Deno.test("if the provider resets every connection after storing a signup, each person gets one confirmation email", async () => {
  await using world = await startWorld({});
  const mailed: Record<string, number> = {};
  for (const [at, email] of PEOPLE.entries()) {
    await resetNext(world.provider, SUBSCRIBE);
    await signUp(world, email, at);
    await retry(world);
    assert.equal(count(world.provider, SUBSCRIBE), 2 * at + 2, "one request per attempt");
    mailed[email] = (await world.mails(email, "confirmation")).length;
  }
  assert.deepEqual(mailed, Object.fromEntries(PEOPLE.map((email) => [email, 1])));
});

Deno.test("if the shop resets every connection after creating a code, each attempt sends one request, and each person gets one code", async () => {
  await using world = await startWorld({ coupons: true });
  for (const [at, email] of PEOPLE.slice(0, 3).entries()) {
    await signUp(world, email, at);
    await resetNext(world.shop, COUPON);
    await world.confirm(email);
    await retry(world);
    assert.equal(count(world.shop, COUPON), 2 * at + 2, "one request per attempt");
    assert.equal(await countMailsAfterDay(world, email, "transactional"), 1, email);
  }
  assert.equal(world.coupons.size, 3);
});

Deno.test("if the provider resets the connection after sending a coupon email, the email is never requested again", async () => {
  await using world = await startWorld({ coupons: true });
  for (const [at, email] of PEOPLE.slice(0, 3).entries()) {
    await signUp(world, email, at);
    await resetNext(world.provider, TRANSACTIONAL);
    await world.confirm(email);
    assert.equal(await countMailsAfterDay(world, email, "transactional"), 1, email);
  }
  assert.equal(count(world.provider, TRANSACTIONAL), 3);
});

Deno.test("if the provider resets the connection after sending an order email, the email is never requested again", async () => {
  await using world = await startWorld({ orderEmails: true });
  for (const email of PEOPLE.slice(0, 3)) {
    await resetNext(world.provider, TRANSACTIONAL);
    const response = await world.checkout.order({ email });
    await response.body?.cancel();
    assert.equal(await countMailsAfterDay(world, email, "transactional"), 1, email);
  }
  assert.equal(count(world.provider, TRANSACTIONAL), 3);
});

Deno.test("if the provider resets the connection after sending a cart email, the email is never requested again", async () => {
  await using world = await startWorld({ carts: true });
  for (const email of PEOPLE.slice(0, 3)) {
    await resetNext(world.provider, TRIGGERED);
    await world.checkout.abandonCart(email);
    await world.checkout.runFor(2 * HOUR_MS);
    assert.equal(await countMailsAfterDay(world, email, "triggered"), 1, email);
  }
  assert.equal(count(world.provider, TRIGGERED), 3);
});

Deno.test("if the provider resets the connection after creating a contact, it creates each contact once, with correct totals", async () => {
  await using world = await startWorld({ contactSync: true });
  for (const [at, email] of PEOPLE.slice(0, 3).entries()) {
    await resetNext(world.provider, CONTACTS);
    const response = await world.checkout.order({ email, currency: "EUR", total: 19 });
    await response.body?.cancel();
    await world.checkout.runFor(0);
    await retry(world);
    const { orderCount, totalSpent } = await world.contact(email);
    assert.deepEqual([orderCount, totalSpent], [1, 19], email);
    assert.equal(count(world.provider, CONTACTS), at + 1, "created once");
  }
});

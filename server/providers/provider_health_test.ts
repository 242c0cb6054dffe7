import assert from "node:assert/strict";
import { stubTrouble } from "../../dev/testing/stub_provider.ts";
import { harness } from "../../dev/testing/harness.ts";
import { createProviderHealth, unresolved } from "./provider_health.ts";

Deno.test("the last failure of each call is kept until the same call succeeds, in every process", async () => {
  await using app = await harness();
  const { kv, random, log } = app.services;
  const { clock } = app;
  const health = createProviderHealth({ kv, clock, random, log });
  const provider = health.watch(app.provider, () => "bluefox");
  const target = { list: "list-1", email: "ann@example.com" };
  const troubled = stubTrouble({ code: "forbidden", reason: "HTTP 403: not for ann@example.com" });
  app.provider.subscribe = () => Promise.resolve(troubled);
  await provider.subscribe(target, { tags: [] });
  await provider.lists();
  const [found, ...others] = unresolved(await health.read());
  assert.deepEqual(others, []);
  assert.equal(found?.call, "subscribe");
  assert.match(found!.reason, /^HTTP 403/);
  assert.doesNotMatch(found!.reason, /ann@/);

  await health.flush();
  const other = createProviderHealth({ kv, clock, random, log });
  assert.equal(unresolved(await other.read()).length, 1);
  await clock.advance(1);
  app.provider.subscribe = () => Promise.resolve({ kind: "accepted" });
  await other.watch(app.provider, () => "bluefox").subscribe(target, { tags: [] });
  await other.flush();
  assert.deepEqual(unresolved(await health.read()), []);
});

Deno.test("the first and the number of the failures in a row are kept, in every process, until a success ends them", async () => {
  await using app = await harness();
  const { kv, random, log } = app.services;
  const { clock } = app;
  const health = createProviderHealth({ kv, clock, random, log });
  const provider = health.watch(app.provider, () => "bluefox");
  const call = async (works: boolean) => {
    app.provider.lists = () => Promise.resolve(works ? { kind: "lists", lists: [] } : stubTrouble({}));
    await provider.lists();
    await health.flush();
    await clock.advance(60_000);
  };
  const streak = async () =>
    unresolved(await health.read()).map(({ at, since, failures }) => [at, since, failures]);
  await call(false);
  await call(true);
  const start = clock.now();
  for (let n = 0; n < 3; n++) await call(false);
  assert.deepEqual(await streak(), [[start + 120_000, start, 3]]);
});

Deno.test("a failure that follows a success in the same millisecond is the first one, and has not ended", async () => {
  await using app = await harness();
  const health = createProviderHealth(app.services);
  const provider = health.watch(app.provider, () => "bluefox");
  const call = async (works: boolean) => {
    app.provider.lists = () => Promise.resolve(works ? { kind: "lists", lists: [] } : stubTrouble({}));
    await provider.lists();
  };
  for (let person = 0; person < 3; person++) {
    await call(false);
    await app.clock.advance(60_000);
    await call(true);
  }
  await call(false);
  const [found] = unresolved(await health.read());
  assert.equal(found?.failures, 1);
});

Deno.test("calls need no commit, a flush one, and a flush without calls none", async () => {
  await using app = await harness();
  const health = createProviderHealth(app.services);
  for (let i = 0; i < 20; i++) await health.watch(app.provider, () => "bluefox").lists();
  app.reset();
  await health.flush();
  await health.flush();
  assert.equal(app.counts.commits, 1);
});

Deno.test("failures are seen after the clock was ahead, in the same process and after a restart", async () => {
  for (const restarts of [false, true]) {
    await using app = await harness();
    const { kv, random, log } = app.services;
    const { clock } = app;
    const start = clock.now();
    const open = () => createProviderHealth({ kv, clock, random, log });
    let health = open();
    const call = async (works: boolean) => {
      app.provider.lists = () => Promise.resolve(works ? { kind: "lists", lists: [] } : stubTrouble({}));
      await health.watch(app.provider, () => "bluefox").lists();
      await health.flush();
    };
    clock.set(start + 365 * 86_400_000);
    await call(true);
    clock.set(start);
    if (restarts) health = open();
    await call(false);
    await clock.advance(60_000);
    await call(false);
    assert.deepEqual(unresolved(await health.read()).map(({ at }) => at), [start + 60_000]);
    await clock.advance(60_000);
    await call(true);
    assert.deepEqual(unresolved(await health.read()), []);
  }
});

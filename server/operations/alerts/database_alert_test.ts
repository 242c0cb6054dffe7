import assert from "node:assert/strict";
import type { Kv } from "../../platform/kv/port.ts";
import type { AlertEvent } from "../../settings/hooks/types.ts";
import { wrap } from "../../platform/kv/wrap.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { allOpenAlerts } from "./database_alert.ts";
import { pastAlerts } from "./rows.ts";

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;

/** Services whose database can fail, with the notifications that the hook took. */
async function withFailingDatabase() {
  const events: AlertEvent[] = [];
  const world = { error: undefined as Error | undefined, refuses: false };
  const app = await harness({
    file: {
      actions: {
        cfbe_alert(event) {
          if (world.refuses) throw new Error("the chat is down");
          events.push(event);
        },
      },
    },
  });
  const { databaseHealth, databaseAlert } = app.services;
  const kv = databaseHealth.watch(wrap(app.kv, {
    get: (...args: Parameters<Kv["get"]>) => world.error ? Promise.reject(world.error) : app.kv.get(...args),
  }));
  return Object.assign(world, {
    app,
    /** Reads, as anything does, and checks, as once a minute. */
    async minute() {
      await kv.get(["any"]).catch(() => {});
      await databaseAlert.check();
      await app.clock.advance(MINUTE_MS);
    },
    texts: () => events.splice(0).map(({ state, what }) => `${state} ${what}`),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  });
}

Deno.test("a database that fails for good is an alert at once, which reaches the hook without the database", async () => {
  await using world = await withFailingDatabase();
  world.error = new TypeError("attempt to write a readonly database");
  await world.minute();
  assert.deepEqual(world.texts(), ["opened The disk of data is read-only. Signups are rejected."]);
  assert.deepEqual((await allOpenAlerts(world.app.services)).map(({ kind }) => kind), ["database"]);
  await world.minute();
  assert.deepEqual(world.texts(), []);
  world.error = undefined;
  for (let minutes = 0; minutes < 7; minutes += 1) await world.minute();
  assert.deepEqual(world.texts(), [
    "resolved Resolved: The disk of data is read-only. Signups are rejected.",
  ]);
  assert.deepEqual(await allOpenAlerts(world.app.services), []);
  assert.deepEqual((await pastAlerts(world.app.kv)).map(({ kind }) => kind), ["database"]);
});

Deno.test("a database that can't be reached for less than a minute is no alert", async () => {
  await using world = await withFailingDatabase();
  world.error = new Error("connection refused");
  await world.minute();
  world.error = undefined;
  await world.minute();
  assert.deepEqual(world.texts(), []);
});

Deno.test("an alert about the database that a listener did not take is sent again, in order", async () => {
  await using world = await withFailingDatabase();
  world.error = new TypeError("database or disk is full");
  world.refuses = true;
  await world.minute();
  world.error = undefined;
  for (let minutes = 0; minutes < 7; minutes += 1) await world.minute();
  world.refuses = false;
  await world.minute();
  assert.deepEqual(world.texts().map((text) => text.split(" ")[0]), ["opened", "resolved"]);
});

Deno.test("damage stays an alert until the program starts again, although other calls succeed", async () => {
  await using world = await withFailingDatabase();
  world.error = new TypeError("database disk image is malformed");
  await world.minute();
  world.error = undefined;
  for (let minutes = 0; minutes < 30; minutes += 1) await world.minute();
  const [alert] = await allOpenAlerts(world.app.services);
  assert.match(alert!.problem.what, /^The database file \S+ is damaged \(database disk image is malformed\)/);
  assert.match(alert!.problem.todo, /restore <file>/);
});

Deno.test("an alert about the database that opened while the clock was ahead is resolved when the database works, and the next failure is announced", async () => {
  await using world = await withFailingDatabase();
  const { clock } = world.app;
  const right = clock.now();
  await clock.set(right + YEAR_MS);
  world.error = new TypeError("database or disk is full");
  await world.minute();
  await clock.set(right);
  world.error = undefined;
  for (let minutes = 0; minutes < 7; minutes += 1) await world.minute();
  assert.deepEqual(await allOpenAlerts(world.app.services), []);
  world.error = new TypeError("database or disk is full");
  await world.minute();
  const states = world.texts().map((text) => text.split(" ")[0]);
  assert.deepEqual(states, ["opened", "resolved", "opened"]);
});

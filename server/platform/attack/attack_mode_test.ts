import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { type MemoryLog, memoryLog } from "../../../dev/testing/memory_log.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv } from "../kv/port.ts";
import { wrap } from "../kv/wrap.ts";
import { type AttackMode, createAttackMode, type UsualDays } from "./attack_mode.ts";
import type { Thresholds } from "./decide.ts";

const MINUTE = 60_000;
const USUAL: UsualDays = { all: { signupsPerHour: 5, confirmationRate: 0.7 }, forms: new Map() };
const NOTHING: UsualDays = { forms: new Map() };

interface World extends AsyncDisposable {
  kv: Kv;
  clock: ManualClock;
  log: MemoryLog;
  thresholds: Thresholds;
  usual: UsualDays;
  /** How often the provider was asked for confirmations. */
  asked: number;
  /** Called then. */
  onAsked?: () => void;
  holds: boolean;
  /** Starts another process. */
  process(kv?: Kv): AttackMode;
}

async function world(): Promise<World> {
  const temp = await tempKv("memory");
  const made: World = {
    kv: temp.kv,
    clock: new ManualClock(),
    log: memoryLog(),
    thresholds: { mode: "auto", networkSignups: 80, tokenSignups: 60, signups: 40, calmMinutes: 30 },
    usual: NOTHING,
    asked: 0,
    holds: false,
    process: (kv = temp.kv) =>
      createAttackMode({
        kv,
        clock: made.clock,
        log: made.log,
        thresholds: () => made.thresholds,
        holdsDeliveries: () => made.holds,
        usual: () => Promise.resolve(made.usual),
        askForConfirmations() {
          made.asked++;
          made.onAsked?.();
          return Promise.resolve();
        },
      }),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
  return made;
}

const signUp = (mode: AttackMode, count: number, ipOf: (n: number) => string, refused = false) => {
  for (let n = 0; n < count; n++) {
    mode.noteSignup({ ip: ipOf(n), token: `${n}`, form: "footer", ...(refused && { refused: true }) });
  }
};
const ofHome = (n: number) => `2a02:8109:9a40:17${(n % 256).toString(16).padStart(2, "0")}::${n}`;
const everywhere = (n: number) => `${1 + n % 9}.${n % 250}.${Math.floor(n / 250)}.7`;

Deno.test("the 81st signup of one home in an hour begins an attack, whatever the addresses in its /56", async () => {
  await using app = await world();
  const mode = app.process();
  signUp(mode, 80, ofHome);
  assert.equal(mode.current(), undefined);
  signUp(mode, 1, ofHome);
  assert.deepEqual(mode.current(), {
    since: app.clock.now(),
    seenAt: app.clock.now(),
    acceptedAt: app.clock.now(),
    reasons: ["network"],
  });
  assert.deepEqual(app.log.entries.map(({ event }) => event), ["attack.began"]);
});

Deno.test("signups from private and documentation networks never begin an attack: no stranger is there", async () => {
  await using app = await world();
  const mode = app.process();
  for (const prefix of ["127.0.0", "10.0.0", "192.168.1", "192.0.2", "198.51.100", "2001:db8::", "fd00::"]) {
    signUp(mode, 200, (n) => prefix.includes(":") ? `${prefix}${n}` : `${prefix}.${n}`);
  }
  signUp(mode, 200, () => "unknown");
  await mode.tick();
  assert.equal(mode.current(), undefined);
});

Deno.test("signups from 300 networks that nobody confirms begin an attack within 100 signups at 30 a minute", async () => {
  await using app = await world();
  app.usual = USUAL;
  const mode = app.process();
  let sent = 0;
  while (!mode.current() && sent < 300) {
    mode.noteSignup({ ip: everywhere(sent++), token: `${sent}`, form: "footer" });
    await app.clock.advance(2_000);
    if (sent % 30 === 0) await mode.tick();
  }
  assert.deepEqual(mode.current()?.reasons, ["confirmations"]);
  assert.ok(sent <= 100, `${sent}`);
});

Deno.test("a rush of honest visitors, half of whom confirm after a minute, is no attack", async () => {
  await using app = await world();
  app.usual = USUAL;
  const mode = app.process();
  for (let n = 0; n < 600; n++) {
    mode.noteSignup({ ip: everywhere(n), token: `${n}`, form: "footer" });
    if (n >= 30 && n % 2 === 0) mode.noteConfirmed("footer");
    await app.clock.advance(2_000);
    if (n % 30 === 0) await mode.tick();
    assert.equal(mode.current(), undefined);
  }
});

Deno.test("a rush that is confirmed, but not reported yet, is no attack: the provider is asked first", async () => {
  await using app = await world();
  app.usual = USUAL;
  const mode = app.process();
  let unreported = 0;
  app.onAsked = () => {
    for (; unreported > 0; unreported--) mode.noteConfirmed("footer");
  };
  for (let n = 0; n < 300; n++) {
    mode.noteSignup({ ip: everywhere(n), token: `${n}`, form: "footer" });
    if (n >= 30 && n % 2 === 0) unreported++;
    await app.clock.advance(2_000);
    if (n % 30 === 0) await mode.tick();
    assert.equal(mode.current(), undefined);
  }
  assert.ok(app.asked > 0 && app.asked < 10, `${app.asked}`);
});

Deno.test("it ends by itself: 30 minutes after the last sign of the attack", async () => {
  await using app = await world();
  const mode = app.process();
  signUp(mode, 81, ofHome);
  for (let minute = 0; minute < 40; minute++) {
    await app.clock.advance(MINUTE);
    signUp(mode, 30, ofHome, true);
    await mode.tick();
  }
  let minutes = 0;
  for (; mode.current() && minutes < 300; minutes++) {
    await app.clock.advance(MINUTE);
    await mode.tick();
  }
  assert.ok(minutes >= 30 && minutes <= 90, `it ended ${minutes} minutes after the last request`);
  assert.deepEqual(app.log.entries.map(({ event }) => event), ["attack.began", "attack.ended"]);
  assert.deepEqual(await Array.fromAsync(app.kv.list({ prefix: [] })), []);
});

Deno.test("other processes and the next start learn of an attack, and of its end", async () => {
  await using app = await world();
  const [one, other] = [app.process(), app.process()];
  signUp(one, 81, ofHome);
  await one.tick();
  await other.refresh();
  assert.deepEqual(other.current(), one.current());
  await app.clock.advance(10 * MINUTE);
  const next = app.process();
  await next.refresh();
  assert.deepEqual(next.current()?.since, one.current()?.since);
  await app.clock.advance(60 * MINUTE);
  await one.tick();
  await app.clock.advance(30 * MINUTE);
  await one.tick();
  assert.equal(one.current(), undefined);
  await other.refresh();
  assert.equal(other.current(), undefined);
});

Deno.test("a process that no longer sees an attack goes on with it while another one sees it", async () => {
  await using app = await world();
  const [one, other] = [app.process(), app.process()];
  signUp(one, 81, ofHome);
  await one.tick();
  await other.refresh();
  await app.clock.advance(25 * MINUTE);
  signUp(one, 60, ofHome, true);
  await one.tick();
  await other.refresh();
  await app.clock.advance(10 * MINUTE);
  await other.tick();
  assert.ok(other.current());
  await other.refresh();
  assert.ok(other.current());
});

Deno.test("an attack that an earlier version has stored goes on", async () => {
  await using app = await world();
  const [since, seenAt] = [app.clock.now() - 60 * MINUTE, app.clock.now() - MINUTE];
  await app.kv.set(["s", "main", "attack"], { v: 1, since, seenAt, reasons: ["network"] });
  const mode = app.process();
  await mode.refresh();
  assert.deepEqual(mode.current(), { since, seenAt, acceptedAt: seenAt, reasons: ["network"] });
});

Deno.test("what an attack has left begins no other, although nobody confirms it", async () => {
  await using app = await world();
  app.usual = USUAL;
  const mode = app.process();
  signUp(mode, 400, everywhere);
  await app.clock.advance(3 * MINUTE);
  for (let minute = 0; minute < 4 * 60; minute++) {
    await app.clock.advance(MINUTE);
    await mode.tick();
  }
  const [began, ended] = app.log.entries.map(({ event }) => event);
  assert.deepEqual([began, ended], ["attack.began", "attack.ended"]);
  for (let minute = 0; minute < 60; minute++) {
    await app.clock.advance(MINUTE);
    if (minute % 4 === 0) mode.noteSignup({ ip: everywhere(minute), token: `${minute}`, form: "footer" });
    await mode.tick();
  }
  assert.equal(mode.current(), undefined);
});

Deno.test("tokens of pages that a cache has kept for more than ten minutes are not alike because they are as old", async () => {
  const reasonsAt = async (ageMinutes: number) => {
    await using app = await world();
    app.usual = USUAL;
    const mode = app.process();
    for (let n = 0; n < 60; n++) {
      const token = `${app.clock.now() - ageMinutes * MINUTE}.${n}`;
      mode.noteSignup({ ip: everywhere(n), token, form: "footer" });
    }
    for (let minute = 0; minute < 4; minute++) {
      await app.clock.advance(MINUTE);
      await mode.tick();
    }
    return mode.current()?.reasons ?? [];
  };
  assert.ok(!(await reasonsAt(11)).includes("timing"));
  assert.ok((await reasonsAt(9)).includes("timing"));
});

Deno.test("refused signups begin no attack: they cost their sender nothing", async () => {
  await using app = await world();
  const mode = app.process();
  signUp(mode, 500, () => "1.2.3.4", true);
  await mode.tick();
  assert.equal(mode.current(), undefined);
});

Deno.test("an admin's switch acts at the next request, without a signal", async () => {
  await using app = await world();
  const mode = app.process();
  app.thresholds.mode = "on";
  assert.deepEqual(mode.current()?.reasons, ["manual"]);
  app.thresholds.mode = "auto";
  await mode.tick();
  assert.equal(mode.current(), undefined);
  signUp(mode, 81, ofHome);
  app.thresholds.mode = "off";
  assert.equal(mode.current(), undefined);
});

Deno.test("deliveries are held only if they are to be, only during an attack, and only those of its forms' signups", async () => {
  await using app = await world();
  const mode = app.process();
  const since = app.clock.now();
  const during = { source: "popup", at: since } as const;
  app.holds = true;
  assert.equal(mode.holds([during]), false);
  signUp(mode, 81, ofHome);
  assert.equal(mode.holds([during, { source: "shortcode", at: since + 5 }]), true);
  assert.equal(mode.holds([during, { source: "popup", at: since - 1 }]), false);
  assert.equal(mode.holds([{ source: "checkout", at: since }]), false);
  app.holds = false;
  assert.equal(mode.holds([during]), false);
});

Deno.test("deliveries are held no longer than accepted signups look like an attack, whatever is refused, and for a day at most", async () => {
  await using app = await world();
  const mode = app.process();
  app.holds = true;
  signUp(mode, 81, ofHome);
  const since = app.clock.now();
  const during = { source: "popup", at: since } as const;
  await app.clock.advance(29 * MINUTE);
  signUp(mode, 90, () => "9.9.9.9", true);
  assert.equal(mode.holds([during]), true);
  for (let half = 0; half < 3; half++) {
    await app.clock.advance(29 * MINUTE);
    signUp(mode, 90, () => "9.9.9.9", true);
  }
  assert.ok(mode.current(), "the attack itself goes on");
  assert.equal(mode.holds([during]), false);
  for (let hours = 0; hours < 24; hours += 0.4) {
    signUp(mode, 60, ofHome);
    await app.clock.advance(24 * MINUTE);
  }
  signUp(mode, 60, ofHome);
  assert.equal(mode.holds([during]), false, "it has waited for a day");
  assert.equal(mode.holds([{ source: "popup", at: app.clock.now() - 23 * 60 * MINUTE }]), true);
  app.thresholds.mode = "on";
  await mode.tick();
  assert.equal(mode.holds([during]), true, "an admin has decided so");
});

Deno.test("a database that fails is logged, and keeps no process from noticing an attack", async () => {
  await using app = await world();
  const failing = { ...app.kv, set: () => Promise.reject(new Error("disk full")) } as unknown as Kv;
  const mode = app.process(failing);
  signUp(mode, 81, ofHome);
  await mode.tick();
  assert.ok(mode.current());
  assert.ok(app.log.entries.some(({ event }) => event === "attack.store_failed"));
});

Deno.test("a calm hour reads and writes nothing", async () => {
  await using app = await world();
  Object.defineProperty(app, "usual", { get: () => assert.fail("the counters were read") });
  const unusable = new Proxy({} as Kv, {
    get: () => () => assert.fail("the database was used"),
  });
  const mode = app.process(unusable);
  signUp(mode, 9, everywhere);
  await mode.tick();
  assert.equal(mode.current(), undefined);
  assert.deepEqual(app.log.entries, []);
});

Deno.test("what was decided first is never stored after what was decided later, however slow the database is", async () => {
  await using app = await world();
  const begun = Promise.withResolvers<unknown>();
  const slow = wrap(app.kv, {
    async set(...row: Parameters<Kv["set"]>) {
      await new Promise((resolve) => setTimeout(resolve));
      const set = app.kv.set(...row);
      begun.resolve(set);
      return await set;
    },
  });
  const mode = app.process(slow);
  signUp(mode, 81, ofHome);
  app.thresholds.mode = "off";
  await mode.tick();
  assert.deepEqual(app.log.entries.map(({ event }) => event), ["attack.began", "attack.ended"]);
  await begun.promise;
  const other = app.process();
  app.thresholds.mode = "auto";
  await other.refresh();
  assert.equal(other.current(), undefined);
});

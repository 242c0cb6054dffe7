import assert from "node:assert/strict";
import type { ProcessRow } from "../database/processes.ts";
import { problemsIn } from "./registry.ts";
import { PROCESS } from "./testing/values.ts";

const MINUTE_MS = 60_000;
const OTHER: ProcessRow = { ...PROCESS, host: "two.example", pid: 2 };

function found(processes: ProcessRow[], { now = 0, announced }: { now?: number; announced?: boolean } = {}) {
  return problemsIn(
    { processes, now, announced },
    ({ doctor }) => doctor === "the processes on the database agree",
  );
}
const ids = (...args: Parameters<typeof found>) => found(...args).map(({ id }) => id);

Deno.test("one process, or none, never disagrees", () => {
  assert.deepEqual(ids([]), []);
  assert.deepEqual(ids([{ ...PROCESS, aheadMs: 90_000 }], { now: 1e12, announced: false }), []);
});

Deno.test("processes that are set up alike are no problem, also when it is not known whether announcements arrive", () => {
  assert.deepEqual(ids([PROCESS, OTHER], { now: 1e12 }), []);
  assert.deepEqual(ids([PROCESS, OTHER], { now: 1e12, announced: true }), []);
});

Deno.test("while a salt is changed as documented, the processes agree at every step", () => {
  const steps = [["old"], ["old", "new"], ["new", "old"]];
  for (const [at, salts] of steps.entries()) {
    const before = steps[Math.max(0, at - 1)]!;
    assert.deepEqual(ids([{ ...PROCESS, salts }, { ...OTHER, salts: before }]), []);
  }
  assert.deepEqual(ids([{ ...PROCESS, salts: ["new", "old"] }, { ...OTHER, salts: ["old"] }]), [
    "processes.salt",
  ]);
});

Deno.test("a problem names the machines and processes that disagree", () => {
  const [salt] = found([PROCESS, { ...OTHER, salts: ["other"] }]);
  assert.equal(
    salt!.what,
    "two.example (PID 2) can't verify what one.example (PID 1) signs: the salts differ.",
  );
  const [token] = found([PROCESS, { ...OTHER, token: "other" }, { ...OTHER, pid: 3, token: "other" }]);
  assert.match(
    token!.what,
    /of two.example \(PID 2\) and two.example \(PID 3\) is another than that of one.example/,
  );
});

Deno.test("clocks that are more than a second apart are reported, whichever is right", () => {
  const clocks = (...aheads: (number | undefined)[]) =>
    found(aheads.map((aheadMs) => ({ ...PROCESS, aheadMs }) as ProcessRow));
  assert.deepEqual(clocks(-400, 600), []);
  assert.deepEqual(clocks(5_000, undefined), []);
  assert.match(clocks(0, 61_000, 1_000)[0]!.what, /is 61 seconds ahead of/);
  assert.match(clocks(-3_000, 1_000)[0]!.what, /is 4 seconds ahead of/);
});

Deno.test("versions may be mixed for an hour after the latest start", () => {
  const processes = [PROCESS, { ...OTHER, version: "1.1.0", startedAt: 5 * MINUTE_MS }];
  assert.deepEqual(ids(processes, { now: 65 * MINUTE_MS }), []);
  const [mixed] = found(processes, { now: 65 * MINUTE_MS + 1 });
  assert.match(mixed!.what, /1\.0\.0 and 1\.1\.0\.$/);
  assert.equal(mixed!.todo, "Update one.example (PID 1) to 1.1.0.");
});

Deno.test("several processes whose changes are not announced are reported", () => {
  assert.deepEqual(ids([PROCESS, OTHER], { announced: false }), ["processes.not_announced"]);
});

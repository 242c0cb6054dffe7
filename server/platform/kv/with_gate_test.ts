import assert from "node:assert/strict";
import { aroundCommits } from "../../../dev/testing/around_commits.ts";
import { kvFactories } from "../../../dev/testing/kv_factories.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { DatabaseMoved, type Gate, gateOf, OPEN_GATE } from "./gate.ts";
import { keys } from "./keys.ts";
import type { Kv } from "./port.ts";
import { encode } from "./portable_values.ts";
import { withGate } from "./with_gate.ts";

const GATE: Omit<Gate, "phase"> = { v: 1, id: "a move", to: "there", sealed: "", at: 1 };
const bytes = (text: string) => new TextEncoder().encode(text);

async function setGate(kv: Kv, phase: Gate["phase"] | undefined): Promise<void> {
  const { check } = gateOf(await kv.get(keys.move()));
  const row = encode(phase ? { ...GATE, phase } : OPEN_GATE) as Uint8Array;
  assert.ok((await kv.changeGate(check, row)).ok);
}

const changesIn = async (kv: Kv) =>
  await Array.fromAsync(
    kv.list<Uint8Array>({ prefix: keys.moveChangeAll() }),
    ({ value }) => JSON.parse(new TextDecoder().decode(value)) as unknown,
  );

for (const factory of kvFactories()) {
  /** Registers a test of a database whose gate and notes are removed afterward. */
  const guarantee = (what: string, test: (raw: Kv) => Promise<void>) =>
    Deno.test(`${factory.name}: ${what}`, async () => {
      await using opened = await factory.open();
      const { raw } = opened;
      try {
        await test(raw);
      } finally {
        for await (const { key } of raw.list({ prefix: keys.all() })) await raw.delete(key);
      }
    });
  const gated = (raw: Kv, seed: number) => withGate(raw, seededRandom(seed));

  guarantee(
    "a process that slept while the database was moved writes nothing when it wakes up",
    async (raw) => {
      const awake = Promise.withResolvers<void>();
      let asleep = false;
      const sleeping = gated(
        aroundCommits(raw, async (commit) => {
          if (asleep) await awake.promise;
          return await commit();
        }),
        1,
      );
      await sleeping.set(keys.doctor(), bytes("1"));
      asleep = true;
      // The gate was open when it looked.
      const late = sleeping.set(keys.doctor(), bytes("2"));
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (const phase of ["copying", "closing", "moved"] as const) await setGate(raw, phase);
      awake.resolve();
      await assert.rejects(
        late,
        (error) => error instanceof DatabaseMoved && /has moved to there/.test(error.message),
      );
      assert.deepEqual((await raw.get(keys.doctor())).value, bytes("1"));
      assert.deepEqual(await changesIn(raw), []);
    },
  );

  guarantee(
    "from the moment that a move begins, every commit notes what it changes, whoever makes it",
    async (raw) => {
      const [a, b] = [gated(raw, 1), gated(raw, 2)];
      for (const kv of [a, b]) await kv.set(keys.doctor(), bytes("before"));
      await setGate(raw, "copying");
      await a.set(keys.doctor(), bytes("a"));
      await b.atomic().delete(keys.doctor()).sum(keys.cartBytes(), 1n).commit();
      assert.deepEqual((await changesIn(raw)).map((change) => (change as string[]).length).toSorted(), [
        1,
        2,
      ]);
      const tx = a.atomic();
      for (let n = 0; n < 400; n++) tx.delete([...keys.all(), "long", "x".repeat(200), n]);
      await tx.commit();
      assert.ok((await changesIn(raw)).includes("many"));
    },
  );

  guarantee("a closed database accepts commits again once it is opened", async (raw) => {
    const kv = gated(raw, 1);
    await setGate(raw, "closing");
    await assert.rejects(kv.set(keys.doctor(), bytes("1")), DatabaseMoved);
    await setGate(raw, "copying");
    await kv.set(keys.doctor(), bytes("2"));
    await setGate(raw, undefined);
    await kv.set(keys.doctor(), bytes("3"));
    assert.deepEqual((await raw.get(keys.doctor())).value, bytes("3"));
  });

  guarantee("no commit happens after the gate was changed, however many are made meanwhile", async (raw) => {
    const kv = gated(raw, 1);
    let running = true;
    const writing = Array.from({ length: 8 }, async (_, at) => {
      for (let n = 0; running; n++) {
        await kv.set([...keys.all(), "row", at], bytes(String(n))).catch(() => running = false);
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await setGate(raw, "closing");
    const rows = async () =>
      JSON.stringify(await Array.fromAsync(raw.list({ prefix: [...keys.all(), "row"] })));
    const before = await rows();
    await Promise.all(writing);
    assert.equal(await rows(), before);
  });
}

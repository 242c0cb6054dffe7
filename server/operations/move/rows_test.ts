import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { KvU64 } from "../../platform/kv/port.ts";
import { Checksum, hashOf, isMoved } from "./rows.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const ROWS = [["a", bytes("1")], ["b", bytes("2")], ["c", new KvU64(3n)]] as const;

Deno.test("the checksum of a database depends on its rows, not on their order, and rows can be taken away again", () => {
  const of = (...rows: (readonly [string, Uint8Array | KvU64])[]) => {
    const sum = new Checksum();
    for (const [name, value] of rows) sum.add(hashOf(name, value));
    return sum;
  };
  const [all, reversed] = [of(...ROWS), of(...ROWS.toReversed())];
  assert.equal(all.toString(), reversed.toString());
  assert.match(all.toString(), /^[0-9a-f]{32}$/);
  all.subtract(hashOf(...ROWS[1]));
  assert.deepEqual([all.rows, all.toString()], [2, of(ROWS[0], ROWS[2]).toString()]);
  for (const [name, value] of ROWS) all.subtract(hashOf(name, value));
  all.add(hashOf(...ROWS[1]));
  assert.deepEqual([all.rows, all.toString()], [0, new Checksum().toString()]);
});

Deno.test("two rows have the same hash only if their keys, their values and the kinds of these are the same", () => {
  const rows: [string, Uint8Array | KvU64][] = [
    ...[["a", bytes("1")], ["a", bytes("2")], ["b", bytes("1")]] as [string, Uint8Array][],
    ...[["a1", bytes("")], ["", bytes("a1")], ["a", new KvU64(1n)], ["a", new KvU64(2n)]] as [
      string,
      KvU64,
    ][],
  ];
  assert.equal(new Set(rows.map(([name, value]) => hashOf(name, value))).size, rows.length);
  assert.equal(hashOf("a", bytes("1")), hashOf("a", bytes("1")));
});

Deno.test("the rows of the move itself, of processes and of announcements stay where they are", () => {
  for (const key of [keys.move(), keys.moveProgress(), keys.changed(), [...keys.moveChangeAll(), 1]]) {
    assert.ok(!isMoved(key), key.join(" "));
  }
  for (const key of [keys.signupsOf("ann@example.com"), keys.job("a"), keys.settings("general")]) {
    assert.ok(isMoved(key), key.join(" "));
  }
});

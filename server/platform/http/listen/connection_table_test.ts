import assert from "node:assert/strict";
import fc from "fast-check";
import { createConnectionTable } from "./connection_table.ts";

Deno.test("at the cap, the connection that has waited longest for its client is closed", () => {
  const table = createConnectionTable<string>({ total: 3, perIp: 3 });
  for (const connection of ["a", "b", "c"]) assert.equal(table.add(connection, connection), undefined);
  table.serve("a");
  assert.equal(table.add("d", "d"), "b");
  table.wait("a");
  assert.equal(table.add("e", "e"), "c");
  assert.equal(table.add("f", "f"), "d", "the wait of a began later");
});

Deno.test("if every connection is busy, the new one is closed", () => {
  const table = createConnectionTable<string>({ total: 2, perIp: 2 });
  for (const connection of ["a", "b"]) {
    table.add(connection, connection);
    table.serve(connection);
  }
  assert.equal(table.add("c", "c"), "c");
  table.remove("a");
  assert.equal(table.add("d", "d"), undefined);
});

Deno.test("an IP over its cap loses one of its own connections, and an exempt peer has no cap per IP", () => {
  const table = createConnectionTable<string>({ total: 100, perIp: 2 });
  table.add("other", "192.0.2.9");
  table.add("a", "192.0.2.1");
  table.add("b", "192.0.2.1");
  assert.equal(table.add("c", "192.0.2.1"), "a");
  for (let i = 0; i < 50; i += 1) assert.equal(table.add(`proxied ${i}`, undefined), undefined);
});

Deno.test("the caps always hold, and no connection is closed below them", () => {
  const step = fc.record({
    kind: fc.constantFrom("add", "add", "serve", "wait", "remove"),
    connection: fc.nat(40),
    ip: fc.constantFrom("a", "b", "c", undefined),
  });
  fc.assert(fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
    const caps = { total: 8, perIp: 3 };
    const table = createConnectionTable<number>(caps);
    const open = new Map<number, string | undefined>();
    const serving = new Set<number>();
    const countOf = (ip: string | undefined) => [...open.values()].filter((other) => other === ip).length;
    for (const { kind, connection, ip } of steps) {
      if (kind === "add") {
        if (open.has(connection)) continue;
        const full = open.size === caps.total || (ip !== undefined && countOf(ip) === caps.perIp);
        open.set(connection, ip);
        const closed = table.add(connection, ip);
        assert.equal(closed !== undefined, full);
        if (closed === undefined) continue;
        assert.ok(!serving.has(closed));
        assert.ok(open.delete(closed));
      } else if (open.has(connection)) {
        table[kind](connection);
        if (kind === "serve") serving.add(connection);
        else serving.delete(connection);
        if (kind === "remove") open.delete(connection);
      }
      assert.ok(open.size <= caps.total);
      for (const one of ["a", "b", "c"]) assert.ok(countOf(one) <= caps.perIp);
    }
  }));
});

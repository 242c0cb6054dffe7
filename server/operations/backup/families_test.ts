import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import type { KvKey } from "../../platform/kv/port.ts";
import { FAMILIES } from "./families.ts";

Deno.test("every family of rows has a backup mode", () => {
  const kinds = new Set<string>();
  for (const make of Object.values(keys) as ((...parts: unknown[]) => KvKey)[]) {
    const kind = make(...Array.from({ length: make.length }, () => "x"))[2];
    if (typeof kind === "string" && kind !== "x") kinds.add(kind);
  }
  assert.deepEqual([...kinds].toSorted(), Object.keys(FAMILIES).toSorted());
});

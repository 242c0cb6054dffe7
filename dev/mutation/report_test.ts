import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { percentCaught, scoresOf } from "./report.ts";
import { SUBJECTS } from "./table.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SOURCE = "const a = 1;\nif (a < 2) {\n  go();\n}\n";
const CONDITION = { start: { line: 2, column: 5 }, end: { line: 2, column: 10 } };
const BLOCK = { start: { line: 2, column: 12 }, end: { line: 4, column: 2 } };

Deno.test("a mutant counts as caught if a test failed or hung, and as not caught if none ran", () => {
  const statuses = ["Killed", "Timeout", "Survived", "NoCoverage", "CompileError", "Ignored"];
  const mutants = statuses.map((status) => ({ status, replacement: "a <= 2", location: CONDITION }));
  const [score] = scoresOf({ files: { "a.ts": { source: SOURCE, mutants } } });
  assert.deepEqual(score, {
    file: "a.ts",
    caught: 2,
    total: 4,
    survivors: Array(2).fill("a.ts:2  a < 2 → a <= 2"),
  });
  assert.equal(percentCaught([score!, { caught: 6, total: 6 }]), 80);
  assert.equal(percentCaught([]), 100);
});

Deno.test("a survivor shows its code on one line, before and after", () => {
  const survivorOf = (location: typeof BLOCK, replacement?: string) => {
    const mutants = [{ status: "Survived", location, ...(replacement !== undefined && { replacement }) }];
    return scoresOf({ files: { "a.ts": { source: SOURCE, mutants } } })[0]!.survivors;
  };
  assert.deepEqual(survivorOf(BLOCK, "{}"), ["a.ts:2  { go(); } → {}"]);
  assert.deepEqual(survivorOf(CONDITION), ["a.ts:2  a < 2 → (nothing)"]);
  assert.deepEqual(survivorOf(CONDITION, "b".repeat(101)), [`a.ts:2  a < 2 → ${"b".repeat(100)}…`]);
});

Deno.test("the table of mutated files names files and tests that exist, and each file once", () => {
  const files = SUBJECTS.flatMap(({ files }) => files);
  for (const path of [...files, ...SUBJECTS.flatMap(({ tests }) => tests)]) {
    assert.ok(existsSync(ROOT + path), path);
  }
  assert.equal(new Set(files).size, files.length);
});

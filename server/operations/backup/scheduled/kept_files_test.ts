import assert from "node:assert/strict";
import { backupName, draftOf, outdated } from "./kept_files.ts";

const AT = Date.UTC(2026, 0, 31, 3, 4, 5);

Deno.test("the name of a backup says when it began and whether it is encrypted", () => {
  assert.deepEqual([false, true].map((encrypted) => backupName(AT, encrypted)), [
    "cfbe-2026-01-31T030405Z.backup",
    "cfbe-2026-01-31T030405Z.backup.age",
  ]);
});

Deno.test("the newest backups are kept, and nothing is deleted but older ones and their drafts", () => {
  const names = [0, 1, 2, 3].map((days) => backupName(AT + days * 86_400_000, days % 2 === 0));
  const others = [
    "cfbe.kv",
    "cfbe-2026-01-31.backup",
    "notes.partial",
    "cfbe-2026-01-31T030405Z.backup.age.asc",
  ];
  const draft = draftOf(names[0]!);
  assert.deepEqual(outdated([names[2]!, ...others, draft, names[0]!, names[3]!, names[1]!], 3), [
    names[0],
    draft,
  ]);
  assert.deepEqual(outdated([...names, ...others], 4), []);
  assert.deepEqual(outdated([], 2), []);
});

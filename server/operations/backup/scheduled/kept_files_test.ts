import assert from "node:assert/strict";
import { backupName, draftOf, outdated } from "./kept_files.ts";

const AT = Date.UTC(2026, 0, 31, 3, 4, 5);
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

Deno.test("the name of a backup says when it began and whether it is encrypted", () => {
  assert.deepEqual([false, true].map((encrypted) => backupName(AT, encrypted)), [
    "cfbe-2026-01-31T030405Z.backup",
    "cfbe-2026-01-31T030405Z.backup.age",
  ]);
});

Deno.test("the newest backups are kept, and nothing is deleted but older ones and their drafts", () => {
  const names = [0, 1, 2, 3].map((days) => backupName(AT + days * DAY_MS, days % 2 === 0));
  const others = [
    "cfbe.kv",
    "cfbe-2026-01-31.backup",
    "notes.partial",
    "cfbe-2026-01-31T030405Z.backup.age.asc",
  ];
  const draft = draftOf(names[0]!);
  const made = { made: names[3]!, now: AT + 3 * DAY_MS };
  assert.deepEqual(
    outdated([names[2]!, ...others, draft, names[0]!, names[3]!, names[1]!], { ...made, kept: 3 }),
    [names[0], draft],
  );
  assert.deepEqual(outdated([...names, ...others], { ...made, kept: 4 }), []);
  assert.deepEqual(outdated([], { ...made, kept: 2 }), []);
});

Deno.test("backups whose time is still to come are deleted first, and never the one just made", () => {
  const [older, made, during, ahead] = [-1, 0, 1, 14].map((hours) =>
    backupName(AT + hours * HOUR_MS, false)
  ) as [string, string, string, string];
  const names = [older, made, during, ahead];
  const now = AT + HOUR_MS;
  assert.deepEqual(outdated(names, { made, kept: 3, now }), [ahead]);
  assert.deepEqual(outdated(names, { made, kept: 2, now }), [ahead, older]);
  const correctedMeanwhile = AT - HOUR_MS;
  assert.deepEqual(outdated(names, { made, kept: 2, now: correctedMeanwhile }), [during, ahead]);
});

import assert from "node:assert/strict";

const PARTS = new URL("../parts/", import.meta.url);

/** Parts of whole pages, which every page shows, or which need the settings of a real page. */
const ELSEWHERE = [
  "ShortcutsButton",
  "ShortcutsDialog",
  "ZoneNote",
  "Brand",
  "LivePreview",
  "PostForm",
  "Preview",
  "ProviderFields",
  "SettingsForm",
];

Deno.test("the page of parts shows every part of the admin", async () => {
  const sources = await Promise.all(
    ["parts.tsx", "parts_fields.tsx", "parts_problems.tsx", "parts_steps.tsx"].map((file) =>
      Deno.readTextFile(new URL(file, import.meta.url))
    ),
  );
  const shown = new Set([...sources.join().matchAll(/<([A-Z]\w+)/g)].map(([, name]) => name!));
  const missing: string[] = [];
  for await (const { name: file } of Deno.readDir(PARTS)) {
    if (!file.endsWith(".tsx")) continue;
    const source = await Deno.readTextFile(new URL(file, PARTS));
    for (const [, name] of source.matchAll(/^export function ([A-Z]\w*)/gm)) {
      if (!shown.has(name!) && !ELSEWHERE.includes(name!)) missing.push(name!);
    }
  }
  assert.deepEqual(missing, []);
});

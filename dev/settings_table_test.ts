import assert from "node:assert/strict";
import { settingRows, withTable } from "./settings_table.ts";

const cellsOf = (page: string) =>
  page.split("\n").map((line) => line.replace(/ +\|/g, " |").replace(/-{3,}/g, "---"));

Deno.test("docs/configure.md explains every setting as its declaration does", async () => {
  const page = await Deno.readTextFile(new URL("../docs/configure.md", import.meta.url));
  assert.deepEqual(cellsOf(page), cellsOf(withTable(page, settingRows())), "run `deno task docs:settings`");
});

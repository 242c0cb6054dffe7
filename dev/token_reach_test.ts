import assert from "node:assert/strict";
import { reachRows, withReach } from "./token_reach.ts";

const cellsOf = (page: string) =>
  page.split("\n").map((line) => line.replace(/ +\|/g, " |").replace(/-{3,}/g, "---"));

Deno.test("docs/security.md lists everything that each scope of an API token reaches, from its declaration", async () => {
  const page = await Deno.readTextFile(new URL("../docs/security.md", import.meta.url));
  assert.match(page, /^\| `signup` +\| `POST \/integrations\/signup`/m);
  assert.deepEqual(cellsOf(page), cellsOf(withReach(page, reachRows())), "run `deno task docs:settings`");
});

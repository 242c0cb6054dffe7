import assert from "node:assert/strict";
import { DOCTOR_LINES } from "./check.ts";
import { checksIn } from "./registry.ts";

const page = Deno.readTextFileSync(new URL("../../../docs/operate.md", import.meta.url));
const idsIn = (text: string) => [...text.matchAll(/`([a-z_]+\.[a-z_*]+)`/g)].map(([, id]) => id!);
const idsOf = (isIn: Parameters<typeof checksIn>[0]) => checksIn(isIn).map(({ id }) => id);

/** Returns the IDs in the second column of the table below a heading, by the first: an empty cell repeats the one above. */
function idsBelow(heading: string): Record<string, string[]> {
  const section = page.split(`## ${heading}\n`)[1]!.split("\n## ")[0]!;
  const [, , ...rows] = section.split("\n").filter((line) => line.startsWith("|"));
  const found: Record<string, string[]> = {};
  let name = "";
  for (const [, first, ids] of rows.map((row) => row.split("|"))) {
    name = first!.replaceAll("`", "").trim() || name;
    found[name] = [...found[name] ?? [], ...idsIn(ids!)];
  }
  return found;
}

Deno.test("docs/operate.md lists the problems of every kind of alert", () => {
  const kinds = new Set(checksIn(({ alert }) => alert).map((check) => check.in.alert!));
  const declared = [...kinds].map((kind) => [kind, idsOf(({ alert }) => alert === kind)]);
  assert.deepEqual(idsBelow("Alerts"), Object.fromEntries(declared));
});

Deno.test("docs/operate.md lists the problems of every line of the doctor, and the warnings at the start", () => {
  const declared = DOCTOR_LINES.map((line) => [line, idsOf(({ doctor }) => doctor === line)]);
  assert.deepEqual(idsBelow("What the doctor checks"), Object.fromEntries(declared));
  const [start] = page.split("as the event: ")[1]!.split("\n\n");
  assert.deepEqual(idsIn(start!), idsOf(({ start }) => start));
});

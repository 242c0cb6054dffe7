import assert from "node:assert/strict";
import { SHEETS } from "./asset_files.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

/** Lengths up to this many rem are hairlines and optical corrections, not spaces. */
const HAIRLINE_REM = 0.125;

async function styleSheet(): Promise<string> {
  await using app = await adminHarness();
  return (await app.fetch("/admin/assets/admin.css")).text();
}

Deno.test("every text size and every space of the admin comes from the scales in tokens.css", async () => {
  const css = (await styleSheet()).replace(/\/\*[^]*?\*\//g, "");
  const odd: string[] = [];
  for (const [line, name, value] of css.matchAll(/(?<=[{;]\s*)([\w-]+):([^;{}]*);/g)) {
    if (/^(font|font-size)$/.test(name!) && /\d(rem|em|px)/.test(value!)) odd.push(line.trim());
    if (!/^(padding|margin|gap|row-gap|column-gap)(-|$)/.test(name!)) continue;
    const lengths = [...value!.matchAll(/([\d.]+)rem/g)].map(([, length]) => Number(length));
    if (lengths.some((length) => length > HAIRLINE_REM)) odd.push(line.trim());
  }
  assert.deepEqual(odd, []);
});

Deno.test("every custom property that the admin's style sheet uses is defined in it", async () => {
  const css = await styleSheet();
  const defined = new Set([...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  assert.deepEqual([...used].filter((name) => !defined.has(name)), []);
});

Deno.test("a class means one thing: only one sheet styles it, apart from media queries", async () => {
  const sheets = new Map<string, string[]>();
  for (const url of SHEETS) {
    const css = (await Deno.readTextFile(url)).replace(/\/\*[^]*?\*\//g, "").replace(
      /^@[^{]*\{[^]*?^\}/gm,
      "",
    );
    const selectors = [...css.matchAll(/([^{};]+)\{/g)].flatMap(([, list]) => list!.split(","));
    const classes = new Set(selectors.map((each) => each.trim()).filter((each) => /^\.[\w-]+$/.test(each)));
    for (const each of classes) {
      sheets.set(each, [...sheets.get(each) ?? [], url.pathname.replace(/.*\//, "")]);
    }
  }
  assert.deepEqual([...sheets].filter(([, files]) => files.length > 1), []);
});

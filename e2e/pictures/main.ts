/**
 * Takes the pictures of the documentation, from the program itself with invented data.
 *
 *     deno task docs:pictures                 all of them
 *     deno task docs:pictures popup demo      only these
 *     deno task docs:pictures --out /tmp/pictures --theme dark --width 390
 *
 * With `--out`, it saves whole pages as PNG in that folder, to look at, and leaves the documentation as it is. Only then
 * can theme and width be chosen.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { launch } from "../browser.ts";
import { type Labels, LABELS_FILE, labelsOf, readLabels } from "./labels.ts";
import { type Scene, SCENES } from "./scenes.ts";
import { eachScene } from "./shoot.ts";

const FOLDER = fileURLToPath(new URL("../../docs/images/", import.meta.url));
/** Sharp on most screens, at half the bytes of 2. */
const SCALE = 1.5;
/** Of WebP, from 0 to 100. Below this, small gray text gets visible artifacts. */
const QUALITY = 70;

const { values: { theme, width, out }, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    theme: { type: "string", default: "light" },
    width: { type: "string" },
    out: { type: "string" },
  },
});
const unknown = names.filter((name) => !SCENES.some((scene) => scene.name === name));
if (unknown.length > 0) {
  fail(`There is no picture ${unknown.join()}: ${SCENES.map(({ name }) => name).join(" ")}`);
}
if (theme !== "light" && theme !== "dark") fail("--theme must be light or dark");
if (out === undefined && (theme !== "light" || width !== undefined)) {
  fail("The documentation shows the light theme in fixed widths: add --out DIR");
}

const labels: Labels = out === undefined && names.length > 0 ? await readLabels() : {};
const scenes = SCENES.filter(({ name }) => names.length === 0 || names.includes(name));
await Deno.mkdir(out ?? FOLDER, { recursive: true });
const browser = await launch();
try {
  const look = { theme: theme as "light" | "dark", scale: SCALE, width: width ? Number(width) : undefined };
  await eachScene(browser, scenes, look, out === undefined ? take : view);
} finally {
  await browser.close();
}
if (out === undefined) {
  const sorted = Object.fromEntries(SCENES.map(({ name }) => [name, labels[name]]));
  await Deno.writeTextFile(LABELS_FILE, JSON.stringify(sorted));
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", fileURLToPath(LABELS_FILE)] }).output();
}

async function take({ name }: Scene, page: Page): Promise<void> {
  labels[name] = await labelsOf(page);
  await page.screenshot({ path: `${FOLDER}${name}.webp`, type: "webp", quality: QUALITY });
}

async function view({ name }: Scene, page: Page): Promise<void> {
  await page.screenshot({ path: `${out}/${name}.png`, fullPage: true });
}

function fail(message: string): never {
  console.error(message);
  Deno.exit(2);
}

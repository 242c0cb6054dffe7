/** Tests that the documentation shows every picture, and describes each. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const IMAGES = "docs/images";
/** `![alt](path)`, or `<img>` for a picture with a width. */
const MARKDOWN = /!\[([^\]]*)\]\(([^)\s]+)\)/g;
const ELEMENT = /<img (?=[^>]*\balt="([^"]*)")(?=[^>]*\bsrc="([^"]+)")[^>]*>/g;

const pages = ["README.md", ...[...Deno.readDirSync(`${ROOT}docs`)].map(({ name }) => `docs/${name}`)]
  .filter((path) => path.endsWith(".md"));

const cited = pages.flatMap((page) => {
  const text = Deno.readTextFileSync(ROOT + page);
  return [...text.matchAll(MARKDOWN), ...text.matchAll(ELEMENT)].map(([, alt, target]) => ({
    page,
    alt: alt!,
    path: join(dirname(page), target!),
  }));
});

Deno.test("every picture in the documentation exists, and has a text that says what it shows", () => {
  assert.ok(cited.length > 10);
  assert.deepEqual(cited.filter(({ path, alt }) => !existsSync(ROOT + path) || alt.length < 20), []);
});

Deno.test("the documentation shows every picture in docs/images/", () => {
  const pictures = [...Deno.readDirSync(ROOT + IMAGES)].map(({ name }) => name).filter((name) =>
    !name.endsWith(".json")
  );
  const shown = new Set(cited.map(({ path }) => path));
  assert.deepEqual(pictures.filter((name) => !shown.has(`${IMAGES}/${name}`)), []);
});

Deno.test("all pictures together have less than 1.5 MB", () => {
  const sizes = [...Deno.readDirSync(ROOT + IMAGES)].map(({ name }) =>
    Deno.statSync(`${ROOT}${IMAGES}/${name}`).size
  );
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 1.5e6);
});

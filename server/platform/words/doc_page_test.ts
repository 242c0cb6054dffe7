import assert from "node:assert/strict";
import { DOC_PAGES } from "./doc_page.ts";

const ROOT = new URL("../../../", import.meta.url);

for (const [name, title] of DOC_PAGES) {
  Deno.test(`texts name docs/${name}.md by its title`, async () => {
    const page = await Deno.readTextFile(new URL(`docs/${name}.md`, ROOT));
    assert.equal(page.split("\n")[0], `# ${title}`);
  });
}

Deno.test("no text of the server names a page of the documentation by its file", async () => {
  const found: string[] = [];
  for (const path of await sources(new URL("server/", ROOT))) {
    const text = await Deno.readTextFile(path);
    // Comments and the declarations of the providers' pages are not shown to anybody.
    const shown = text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$|^\s*docs: "docs\/[a-z]+\.md",$/gm, "");
    if (/docs\/[a-z-]+\.md/.test(shown.replaceAll("docs/${name}.md", ""))) found.push(path.pathname);
  }
  assert.deepEqual(found, []);
});

/** Returns the source files below a folder, without tests and what only they use. */
async function sources(folder: URL): Promise<URL[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const found = entries.filter(({ name }) => name !== "testing" && name !== "node_modules").map((entry) => {
    if (entry.isDirectory) return sources(new URL(`${entry.name}/`, folder));
    const isSource = /(?<!_test)\.tsx?$/.test(entry.name);
    return Promise.resolve(isSource ? [new URL(entry.name, folder)] : []);
  });
  return (await Promise.all(found)).flat();
}

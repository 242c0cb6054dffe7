import assert from "node:assert/strict";
import { VERSION } from "../../shared/version.ts";

const read = (name: string) => Deno.readTextFile(new URL(name, import.meta.url));

Deno.test("the package's README and the docs for embedding show how to install the packed file of this version", async () => {
  for (const page of ["README.md", "../../docs/embed.md"]) {
    const text = await read(page);
    assert.match(text, /deno task pack/, page);
    assert.ok(text.includes(`npm install ./cfbe-${VERSION}.tgz`), page);
  }
});

Deno.test("a server component can render the React component, because its module is marked as client code", async () => {
  assert.match(await read("react.ts"), /^"use client";\n/);
  assert.match(await read("README.md"), /server component/);
});

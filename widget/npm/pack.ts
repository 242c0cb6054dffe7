/** `deno task pack`: builds the npm package from the sources in this folder. */
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { manifest } from "./manifest.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HERE = `${ROOT}widget/npm`;
const OUT = `${ROOT}widget/dist-npm`;
const ENTRIES = [`${HERE}/index.ts`, `${HERE}/react.ts`, `${HERE}/preact.ts`];

/**
 * Compiles the entry points. JavaScript goes to the root of the package. Type declarations keep the folders of their
 * sources, because they import declarations from other folders.
 *
 * @returns file contents by path
 * @throws {Error} with the compiler's messages
 */
function compile(): Map<string, string> {
  const program = ts.createProgram(ENTRIES, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
    rootDir: ROOT,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
  });
  const files = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (path, text) => {
    const name = relative(ROOT, path);
    // The compiler leaves `.ts` in the imports of declarations.
    if (name.endsWith(".d.ts")) files.set(`types/${name}`, text.replace(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
    else if (name.startsWith("widget/npm/")) files.set(name.slice("widget/npm/".length), text);
  });
  const errors = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (errors.length > 0) {
    throw new Error(ts.formatDiagnostics(errors, {
      getCurrentDirectory: () => ROOT,
      getCanonicalFileName: (name) => name,
      getNewLine: () => "\n",
    }));
  }
  return files;
}

const files = compile();
files.set("package.json", JSON.stringify(manifest, null, 2) + "\n");
files.set("README.md", await Deno.readTextFile(`${HERE}/README.md`));
files.set("LICENSE", await Deno.readTextFile(`${ROOT}LICENSE`));

await Deno.remove(OUT, { recursive: true }).catch(() => {});
for (const [name, text] of files) {
  await Deno.mkdir(dirname(`${OUT}/${name}`), { recursive: true });
  await Deno.writeTextFile(`${OUT}/${name}`, text);
}
const packed = await new Deno.Command("npm", { args: ["pack", "--silent"], cwd: OUT, stdout: "piped" })
  .output();
if (!packed.success) Deno.exit(1);
console.log(`widget/dist-npm/${new TextDecoder().decode(packed.stdout).trim()}`);

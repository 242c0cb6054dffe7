import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import preact from "@preact/preset-vite";
import { defineConfig, type EnvironmentOptions, type Plugin } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What the loader may load, each built on its own: one request, and no chunk that waits for another. */
const PARTS = {
  checkout: "src/checkout/entry.ts",
  doubt: "src/loader/doubt.ts",
  form: "src/form/entry.tsx",
  headless: "src/signup/headless.ts",
  layout: "src/layout/entry.ts",
  mail: "src/form/mail_domains.ts",
  marks: "src/own/marks.ts",
  own: "src/own/entry.ts",
  popup: "src/popup/dialog.ts",
  rules: "src/popup/entry.ts",
};

/** The loader is built last, in Vite's own environment; its name carries no hash, for pages link to it. */
const LOADER = "client";

/** What the parts' names end in, and what the loader has to know: a hash of them all, in the order they are built. */
const hash = createHash("sha256");
let version = "";

/** Compiles JSX to calls of `h`. Preact's newer runtime repeats half of it, for tools that aren't used here. */
const classicJsx: Plugin = {
  name: "cfbe-classic-jsx",
  enforce: "pre",
  transform: (code, id) =>
    id.endsWith(".tsx") ? `/** @jsxRuntime classic @jsx h */import { h } from "preact";${code}` : null,
};

/**
 * Makes the loader a classic script that knows the parts' version.
 *
 * A page embeds it as `<script async src>`: nothing may be imported or exported at the top, and no name may become
 * the page's global, so the code goes into a function. It can't write `import("./cfbe/form-….js")` either: in a
 * script from another origin a relative specifier has no base. It puts its own address in front; and `importChunk()`, for Vite would wrap an `import()` in a kilobyte that looks for style sheets and
 * speaks of `import.meta`, which a classic script can't even contain.
 */
function classicLoader(): Plugin {
  return {
    name: "cfbe-classic-loader",
    sharedDuringBuild: true,
    generateBundle(_options, bundle) {
      const [chunk, ...others] = Object.values(bundle);
      const name = this.environment.name;
      if (chunk?.type !== "chunk" || others.length) return this.error(`${name} must be one chunk`);
      if (name !== LOADER) return void hash.update(chunk.code);
      if (chunk.exports.length) return this.error("a classic script exports nothing");
      const code = chunk.code.replaceAll("importChunk(", "import(").replaceAll("%version%", version);
      chunk.code = `(()=>{${code.trim()}})();\n`;
    },
  };
}

const environment = (input: string, entryFileNames: string): EnvironmentOptions => ({
  consumer: "client",
  build: {
    outDir: "dist",
    emptyOutDir: false,
    target: "es2022",
    // Named, so that light-dark() and nesting stay as they are written instead of being spelled out.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: false,
    minify: "terser",
    terserOptions: { ecma: 2020, compress: { passes: 3 } },
    reportCompressedSize: false,
    rollupOptions: {
      input: here(input),
      preserveEntrySignatures: "strict",
      output: { format: "es", entryFileNames },
    },
  },
});

export default defineConfig({
  root: here("."),
  plugins: [preact({ devToolsEnabled: false, prefreshEnabled: false }), classicJsx, classicLoader()],
  environments: {
    ...Object.fromEntries(
      Object.entries(PARTS).map(([name, input]) => [name, environment(input, `cfbe/${name}.js`)]),
    ),
    [LOADER]: environment("src/loader/main.ts", "cfbe.js"),
  },
  builder: {
    async buildApp({ build, environments }) {
      const parts = Object.keys(PARTS);
      for (const name of parts) await build(environments[name]!);
      version = hash.digest("base64url").slice(0, 8);
      const files = parts.map((name) => `${name}-${version}.js`);
      await Promise.all(
        parts.map((name, i) => Deno.rename(here(`dist/cfbe/${name}.js`), here(`dist/cfbe/${files[i]}`))),
      );
      await build(environments[LOADER]!);
      // Only now, for a server may be serving from the folder: the former parts, which nothing names any more.
      for await (const { name } of Deno.readDir(here("dist/cfbe"))) {
        if (!files.includes(name)) await Deno.remove(here(`dist/cfbe/${name}`));
      }
    },
  },
});

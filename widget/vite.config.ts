import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import preact from "@preact/preset-vite";
import { POPULAR_DOMAINS } from "@zootools/email-spell-checker/dist/lib/config/index.js";
import { defineConfig, type EnvironmentOptions, type Plugin } from "vite";
import { compactPreact } from "./compact_preact.ts";
import { startBuild } from "./build_stamp.ts";
import { OLDEST_BROWSERS, targetOf } from "./oldest_browsers.ts";
import { PRIVATE_MEMBERS } from "./src/private_members.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Parts that the loader can load. Each is built on its own, as a single file without imports. */
const PARTS = {
  banners: "src/popup/consent_banners.ts",
  bar: "src/popup/bar.ts",
  beside: "src/popup/beside.ts",
  checkout: "src/checkout/entry.ts",
  countdown: "src/countdown/entry.ts",
  design: "src/design/entry.ts",
  errors: "src/own/field_errors.ts",
  fields: "src/fields/entry.ts",
  form: "src/form/entry.tsx",
  gutter: "src/popup/gutter.ts",
  headless: "src/signup/headless.ts",
  layout: "src/layout/entry.ts",
  mail: "src/form/mail_domains.ts",
  openings: "src/popup/openings.ts",
  own: "src/own/entry.ts",
  page: "src/signup/page.ts",
  placed: "src/popup/placed.ts",
  popup: "src/popup/dialog.ts",
  rules: "src/popup/entry.ts",
  slide: "src/popup/slide.ts",
  steps: "src/steps/entry.ts",
  targeting: "src/popup/targeting.ts",
  token: "src/loader/special_token.ts",
  triggers: "src/popup/triggers.ts",
  variants: "src/experiments/entry.ts",
  visit: "src/host/visit.ts",
};

/** Short names of members, the same in all parts. */
const SHORT_NAMES = Object.fromEntries(
  PRIVATE_MEMBERS.map((name, i) => [name, String.fromCharCode("a".charCodeAt(0) + i)]),
);

/** Where files are built, before they replace those in `dist`. */
const NEW = "dist/.new";

/** The loader is built last, in Vite's default environment. Its name has no hash, because pages link to it. */
const LOADER = "client";

/** The loader that the server serves with the parts and the settings of one form in it. */
const NAMED = "named";

/** Hash of all parts in build order. It is part of their file names, and the loader contains it. */
let hash = createHash("sha256");
let version = "";

/** Compiles JSX to calls of `h`. Preact's automatic runtime adds code for tools that are not used here. */
const classicJsx: Plugin = {
  name: "cfbe-classic-jsx",
  enforce: "pre",
  transform: (code, id) =>
    id.endsWith(".tsx") ? `/** @jsxRuntime classic @jsx h */import { h } from "preact";${code}` : null,
};

/** Takes only the list of domains from the package, whose code would not fit in the budget. */
const popularDomains: Plugin = {
  name: "cfbe-popular-domains",
  load: (id) =>
    id.includes("email-spell-checker")
      ? `export const POPULAR_DOMAINS = ${JSON.stringify(POPULAR_DOMAINS)}`
      : null,
};

const unusedPreact: Plugin = {
  name: "cfbe-unused-preact",
  transform: (code, id) => id.endsWith("/preact/dist/preact.mjs") ? compactPreact(code) : null,
};

/**
 * Leaves out what only computed signals need, and conversions of signals, which cannot be set on a page that freezes
 * `Object.prototype`. Rollup keeps both, because it cannot tell that they have no effects.
 */
const unusedSignals: Plugin = {
  name: "cfbe-unused-signals",
  transform(code, id) {
    const [, name] = id.includes("signals-core") ? /(\w+) as Computed\b/.exec(code)! : [];
    if (!name) return null;
    const unused = new RegExp(
      `^(Object\\.defineProperty\\()?${name}\\.prototype\\b|^\\w+\\.prototype\\.(valueOf|toString|toJSON)=`,
    );
    const body = this.parse(code).body as unknown as { start: number; end: number }[];
    return body.map(({ start, end }) => code.slice(start, end))
      .filter((statement) => !unused.test(statement)).join("\n");
  },
};

/** Declares constants by `let`, which is shorter. The types have been checked, so nothing assigns to them. */
const letForConst: Plugin = {
  name: "cfbe-let-for-const",
  renderChunk(code) {
    const starts: number[] = [];
    const collect = (node: unknown) => {
      if (typeof node !== "object" || !node) return;
      if ("kind" in node && node.kind === "const" && "start" in node) starts.push(node.start as number);
      Object.values(node).forEach(collect);
    };
    collect(this.parse(code));
    // As long as `const`, so that the other places stay as they are. The minifier removes the spaces.
    return {
      code: starts.reduce((code, start) => `${code.slice(0, start)}let  ${code.slice(start + 5)}`, code),
      map: null,
    };
  },
};

/** Removes the spaces that the minifier of style sheets leaves in the values of custom properties. */
const compactCss: Plugin = {
  name: "cfbe-compact-css",
  enforce: "post",
  transform: (code, id) =>
    id.endsWith(".css?inline") ? code.replace(/(:|,) (?=[^"]*")/g, "$1").replaceAll(" * ", "*") : null,
};

/**
 * Turns the loader into a classic script that contains the parts' version.
 *
 * Pages embed it as `<script async src>`. It must not import or export anything statically, nor define globals, so
 * its code is wrapped in a function. The loader imports the parts by absolute URL, because relative specifiers do not
 * resolve in a script from another origin. Its source calls `importChunk()`, which this plugin renames to `import()`:
 * Vite would wrap a literal `import()` in a preload helper of 1 KB that uses `import.meta`, a syntax error in a
 * classic script.
 */
function classicLoader(): Plugin {
  return {
    name: "cfbe-classic-loader",
    sharedDuringBuild: true,
    generateBundle(_options, bundle) {
      const [chunk, ...others] = Object.values(bundle);
      const name = this.environment.name;
      if (chunk?.type !== "chunk" || others.length) return this.error(`${name} must be a single chunk`);
      if (name !== LOADER && name !== NAMED) {
        // The server turns this into a function that returns what the part exports.
        if (!/\bexport\{[^{}]*\};\s*$/.test(chunk.code)) {
          return this.error(`${name} must end with its exports`);
        }
        return void hash.update(chunk.code);
      }
      if (chunk.exports.length) return this.error("a classic script must not export anything");
      const code = chunk.code.replaceAll("importChunk(", "import(").replaceAll("%version%", version).trim();
      chunk.code = name === LOADER ? `(()=>{${code}})();\n` : `(function(cfbeParts,cfbeSettings){${code}})`;
    },
  };
}

/** @param arrows writes functions without `this` as arrow functions: smaller, except for the loader and own markup */
const environment = (input: string, entryFileNames: string, arrows: boolean): EnvironmentOptions => ({
  consumer: "client",
  build: {
    outDir: NEW,
    emptyOutDir: false,
    target: targetOf(OLDEST_BROWSERS),
    modulePreload: false,
    minify: "terser",
    terserOptions: { ecma: 2020, compress: { passes: 3, unsafe_arrows: arrows } },
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
  plugins: [
    preact({ devToolsEnabled: false, prefreshEnabled: false }),
    classicJsx,
    popularDomains,
    unusedPreact,
    unusedSignals,
    letForConst,
    compactCss,
    classicLoader(),
  ],
  esbuild: { mangleProps: new RegExp(`^(${PRIVATE_MEMBERS.join("|")})$`), mangleCache: SHORT_NAMES },
  environments: {
    ...Object.fromEntries(
      Object.entries(PARTS).map((
        [name, input],
      ) => [name, environment(input, `cfbe/${name}.js`, name !== "own")]),
    ),
    [LOADER]: environment("src/loader/main.ts", "cfbe.js", false),
    [NAMED]: environment("src/loader/named.ts", "cfbe-named.js", false),
  },
  builder: {
    async buildApp({ build, config, environments }) {
      using lock = await startBuild(here(".."));
      const isProduction = config.mode === "production";
      if (isProduction && lock.isDone) return;
      await Deno.remove(here(NEW), { recursive: true }).catch(() => {});
      const parts = Object.keys(PARTS);
      hash = createHash("sha256");
      for (const name of parts) await build(environments[name]!);
      version = hash.digest("base64url").slice(0, 8);
      for (const name of [NAMED, LOADER]) await build(environments[name]!);
      // A server may read the folder at any time: the parts of the loaders are there before them, and deleted after them.
      await Deno.mkdir(here("dist/cfbe"), { recursive: true });
      const files = parts.map((name) => `${name}-${version}.js`);
      for (const [i, name] of parts.entries()) {
        await Deno.rename(here(`${NEW}/cfbe/${name}.js`), here(`dist/cfbe/${files[i]}`));
      }
      for (const name of ["cfbe-named.js", "cfbe.js"]) {
        await Deno.rename(here(`${NEW}/${name}`), here(`dist/${name}`));
      }
      await Deno.remove(here(NEW), { recursive: true });
      for await (const { name } of Deno.readDir(here("dist/cfbe"))) {
        if (!files.includes(name)) await Deno.remove(here(`dist/cfbe/${name}`));
      }
      // Without a stamp, `deno task start` replaces the unminified build of `deno task dev`.
      if (isProduction) await lock.writeStamp();
    },
  },
});

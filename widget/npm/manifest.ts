import { VERSION } from "../../shared/version.ts";

/** `package.json` of the npm package. */
export const manifest = {
  name: "cfbe",
  version: VERSION,
  description: "Newsletter signup for any page: loader with types, React component, and JSX types for Preact",
  license: "MIT",
  type: "module",
  sideEffects: false,
  exports: {
    ".": { types: "./types/widget/npm/index.d.ts", default: "./index.js" },
    "./react": { types: "./types/widget/npm/react.d.ts", default: "./react.js" },
    "./preact": { types: "./types/widget/npm/preact.d.ts", default: "./preact.js" },
    "./package.json": "./package.json",
  },
  files: ["*.js", "types"],
  peerDependencies: { "preact": ">=10", "react": ">=19" },
  peerDependenciesMeta: { "preact": { optional: true }, "react": { optional: true } },
};

/** `package.json` of the npm package. */
export const manifest = {
  name: "cfbe",
  version: "0.1.0",
  description: "Newsletter signup for any page: the loader, its types and a React component",
  // Nothing has been decided: the repository has no LICENSE yet.
  license: "UNLICENSED",
  type: "module",
  sideEffects: false,
  exports: {
    ".": { types: "./types/widget/npm/index.d.ts", default: "./index.js" },
    "./react": { types: "./types/widget/npm/react.d.ts", default: "./react.js" },
    "./package.json": "./package.json",
  },
  files: ["*.js", "types"],
  peerDependencies: { "react": ">=19" },
  peerDependenciesMeta: { "react": { optional: true } },
};

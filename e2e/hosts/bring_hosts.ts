/** Installs Varnish and nginx for `deno task test:hosts`, and packs the npm package for its React app. */
import { bringPackages } from "../debian_packages.ts";
import { findCommand, run } from "../process.ts";
import { nginx } from "./nginx.ts";
import { varnish } from "./varnish.ts";

await bringPackages([
  ["varnish", () => findCommand(varnish.command)],
  ["nginx", () => findCommand(nginx.command)],
]);
await run(Deno.execPath(), ["task", "pack"]);

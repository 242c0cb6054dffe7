/** Installs Varnish and nginx for `deno task test:hosts`. */
import { bringPackages } from "../debian_packages.ts";
import { findCommand } from "../process.ts";
import { nginx } from "./nginx.ts";
import { varnish } from "./varnish.ts";

await bringPackages([
  ["varnish", () => findCommand(varnish.command)],
  ["nginx", () => findCommand(nginx.command)],
]);

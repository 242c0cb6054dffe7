/** Ends `deno task test:hosts` with instructions if Varnish or nginx is not installed. */
import { findCommand } from "../process.ts";
import { nginx } from "./nginx.ts";
import { varnish } from "./varnish.ts";

const missing: string[] = [];
for (const { name, command } of [varnish, nginx]) await findCommand(command).catch(() => missing.push(name));
if (missing.length > 0) {
  console.error(
    `These tests need ${missing.join(" and ")}. Install them with your system's package manager, ` +
      "on Debian with `apt-get install --no-install-recommends varnish nginx`.",
  );
  Deno.exit(1);
}

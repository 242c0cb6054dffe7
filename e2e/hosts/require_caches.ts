/** Says in one sentence what `deno task test:hosts` needs and this machine does not have. */
import { find } from "./cache.ts";
import { nginx } from "./nginx.ts";
import { varnish } from "./varnish.ts";

const missing: string[] = [];
for (const { name, command } of [varnish, nginx]) await find(command).catch(() => missing.push(name));
if (missing.length > 0) {
  console.error(
    `These tests need ${missing.join(" and ")}: install your system's packages, ` +
      `on Debian by \`apt-get install --no-install-recommends varnish nginx\`.`,
  );
  Deno.exit(1);
}

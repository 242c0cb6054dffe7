import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** What a config file imports that was written when these modules were in other folders. */
const EARLIER = `
import { defineConfig } from "${ROOT}server/hooks/config_file.ts";
import { purgeVarnish } from "${ROOT}server/hooks/varnish.ts";
import { transport } from "${ROOT}server/http/outbound/transport.ts";
console.log(typeof defineConfig, typeof purgeVarnish, typeof transport);
`;

for (const config of ["deno.json", "production.json"]) {
  Deno.test(`a config file finds modules at their earlier paths, with ${config}`, async () => {
    const file = await Deno.makeTempFile({ suffix: ".ts" });
    await Deno.writeTextFile(file, EARLIER);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--config", `${ROOT}${config}`, file],
    }).output();
    assert.equal(new TextDecoder().decode(stdout), "function function function\n");
    await Deno.remove(file);
  });
}

/** The hosting files in the documentation: permissions, and the container. */
import assert from "node:assert/strict";
import { issueToken } from "../server/keys/form_token.ts";
import { createKeyring } from "../server/keys/keyring.ts";
import { NAMESPACE } from "../shared/contract.ts";
import { runProgram, waitUntil } from "./program.ts";

const SALT = "a salt for tests, long enough to be one";
const SOON_MS = 10_000;
const read = (path: string) => Deno.readTextFile(new URL(`../${path}`, import.meta.url));

/** Returns the flags between `deno run` and the script. */
async function flagsOf(path: string): Promise<string[]> {
  const text = (await read(path)).replaceAll(/\\\n|", "|["[\]]/g, " ");
  const [, flags] = text.match(/(?:deno run|CMD\s+run)\s+(.*?)\s+server\/main\.ts/) ?? assert.fail(path);
  return flags!.split(/\s+/);
}

Deno.test("with the permissions in the systemd unit, a signup is delivered and confirmed, and pages are served", async () => {
  const flags = await flagsOf("docs/hosting/cfbe.service");
  assert.ok(!flags.includes("-A") && flags.includes("--no-prompt"));
  await using program = await runProgram(
    { CFBE_SALT: SALT },
    (root, folder) =>
      flags.map((flag) => flag.replace("/srv/cfbe", root).replaceAll("/var/lib/cfbe", folder)),
  );
  await program.json(`${NAMESPACE}/subscribe`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      source: "shortcode",
      email: "auto@example.com",
      cfbe_token: issueToken(createKeyring([SALT]), Date.now() - 10_000),
    }),
  });
  await waitUntil(
    "the record is active",
    SOON_MS,
    async () => (await program.status("auto@example.com"))[0]?.record.status === "active",
  );
  for (
    const path of [
      "/cfbe.js",
      "/demo",
      "/sandbox",
      "/form/footer",
      "/page-assets/visitor_page.css",
      "/readyz",
    ]
  ) {
    const response = await fetch(program.baseUrl + path);
    assert.equal(response.status, 200, path);
    await response.body?.cancel();
  }
  assert.doesNotMatch(program.log(), /NotCapable|PermissionDenied|"level":"error"/);
});

Deno.test("the container and the systemd unit use the same flags", async () => {
  assert.deepEqual(await flagsOf("Dockerfile"), await flagsOf("docs/hosting/cfbe.service"));
});

Deno.test("files written by the systemd unit are readable only by its user", async () => {
  const unit = await read("docs/hosting/cfbe.service");
  assert.match(unit, /^UMask=0077$/m);
  assert.match(unit, /^StateDirectoryMode=0700$/m);
});

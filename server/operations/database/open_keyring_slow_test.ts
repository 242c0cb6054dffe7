import assert from "node:assert/strict";
import { inFolder } from "../../../dev/testing/failed_start.ts";

const at = (path: string) => new URL(path, import.meta.url).href;
const ADDRESS = "postgres://cfbe:hidden-password@127.0.0.1/cfbe";

/** Opens the keyring of a database on a server that another machine has created. Reads the salt of the folder it runs in. */
const OPEN = `
const { openKeyringOf } = await import("${at("./open_keyring.ts")}");
const { openKeyring } = await import("${at("./salts.ts")}");
const { openKv } = await import("${at("../../platform/kv/open.ts")}");
const { loadSecrets } = await import("${at("../../platform/keys/secrets_file.ts")}");
const { systemClock: clock, systemRandom: random } = await import("${at("../../platform/deps.ts")}");
const { readEnvironment } = await import("${at("../../settings/store/environment.ts")}");
const database = await openKv(":memory:");
const deps = { kv: database.kv, clock, random };
await openKeyring({ ...deps, salts: { accepted: ["the salt of the first machine, long enough"] } });
const config = readEnvironment({ CFBE_KV: "${ADDRESS}" });
const { salts } = await loadSecrets(config, random);
await openKeyringOf(config, { ...deps, salts }).catch((error) => console.log(error.name + ": " + error.message));
await database.close();
`;

Deno.test("a machine with another salt than the database on a server is told to set the salt, without the server's password", () =>
  inFolder(async (folder) => {
    const config = new URL("../../../deno.json", import.meta.url).pathname;
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--config", config, "--node-modules-dir=manual", OPEN],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    assert.match(
      out!,
      /^WrongSalt: The salt that this database was created with is not set\. Set CFBE_SALT to it/,
      err,
    );
    assert.doesNotMatch(out!, /hidden-password|-wal/);
  }));

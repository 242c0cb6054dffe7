/** The hosting files in the documentation: permissions, and the container. */
import assert from "node:assert/strict";
import { readEnvironment } from "../server/settings/store/environment.ts";
import { issueToken } from "../server/platform/keys/form_token.ts";
import { createKeyring } from "../server/platform/keys/keyring.ts";
import { fileURLToPath } from "node:url";
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

/** Returns the variables of an environment file or of an `ENV` instruction. */
const variablesIn = (text: string) =>
  Object.fromEntries(
    Array.from(text.matchAll(/(?:^|ENV |\s)([A-Z_]+)=(\S*)/gm), ([, name, value]) => [name, value]),
  );

Deno.test("with the documented environment file, the port that the container publishes is reachable from outside it", async () => {
  const file = variablesIn((await read("docs/hosting/cfbe.env")).replaceAll(/^#.*$/gm, ""));
  const image = variablesIn((await read("Dockerfile")).match(/^ENV .*$/m)![0]);
  const container = readEnvironment({ ...image, ...file });
  const published = (await read("docs/hosting.md")).match(/-p 127\.0\.0\.1:8000:(\d+) /)![1];
  assert.deepEqual([container.host, `${container.port}`], ["0.0.0.0", published]);
  assert.equal(container.kv, "/var/lib/cfbe/cfbe.kv");
  assert.equal(readEnvironment(file).host, "127.0.0.1");
});

/** Lines of an environment file, and what systemd 252 makes of them. */
const ENVIRONMENT_LINES = new Map([
  ["A=back\\\\slash\\$x", "A=back\\slash$x"],
  ['B="a\\"b\\\\c\\$d\\e$f" ', 'B=a"b\\c$d\\e$f'],
  ["C='a\\b\"c'", 'C=a\\b"c'],
  ['D=it\'s "quoted" # no comment', `D=it's "quoted" # no comment`],
  ["E=two\\\n lines", "E=two lines"],
  ['F="trailing "', "F=trailing "],
  ["G = spaces around the name", "G=spaces around the name"],
  ["H=first\nH=second", "H=second"],
]);

Deno.test("the installed command runs as the service's user in its folder, and takes the values of its environment file as systemd does", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-command-" });
  try {
    // A shell would expand the value of the first variable, and stop at the second.
    const apiToken = "a$HOME`id`&'0123456789";
    const lines = [
      `CFBE_API_TOKEN=${apiToken}`,
      'CFBE_SALT="a salt; with spaces, and long enough"',
      "# a comment",
      "  # a comment=that is indented",
      "  CFBE_KV=/var/lib/cfbe/cfbe.kv \r",
      ...ENVIRONMENT_LINES.keys(),
      "export IGNORED=1",
      "IGNORED",
      "",
    ];
    await Deno.writeTextFile(`${folder}/cfbe.env`, lines.join("\n") + "PORT=8001");
    await Deno.writeTextFile(`${folder}/runuser`, '#!/bin/sh\nenv && pwd && echo "$@"\n', { mode: 0o755 });
    await Deno.writeTextFile(`${folder}/id`, "#!/bin/sh\necho 0\n", { mode: 0o755 });
    const script = (await read("docs/hosting/cfbe")).replaceAll("/etc/cfbe.env", `${folder}/cfbe.env`)
      .replace("/srv/cfbe", fileURLToPath(new URL("..", import.meta.url)));
    const { stdout, stderr } = await new Deno.Command("sh", {
      args: ["-c", script, "cfbe", "status", "ann@example.com"],
      cwd: folder,
      env: { PATH: `${folder}:${Deno.env.get("PATH")}` },
    }).output();
    const out = new TextDecoder().decode(stdout).split("\n");
    assert.ok(!out.some((line) => line.includes("IGNORED")), `${out}`);
    for (
      const line of [
        `CFBE_API_TOKEN=${apiToken}`,
        "CFBE_SALT=a salt; with spaces, and long enough",
        "CFBE_KV=/var/lib/cfbe/cfbe.kv",
        ...ENVIRONMENT_LINES.values(),
        "PORT=8001",
        "CFBE_COMMAND=cfbe",
        fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, ""),
      ]
    ) {
      assert.ok(out.includes(line), `${line}: ${out} ${new TextDecoder().decode(stderr)}`);
    }
    assert.match(out.at(-2)!, /^-u cfbe -- .*server\/cli\/main\.ts status ann@example\.com$/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the installed command refuses an environment file with a quote that is not closed, and names its line", async () => {
  const file = await Deno.makeTempFile({ prefix: "cfbe-env-" });
  try {
    await Deno.writeTextFile(file, "CFBE_KV=a.kv\nCFBE_API_TOKEN='a-token\nPORT=8001\n");
    const script = (await read("docs/hosting/cfbe")).replace('"$(id -u)"', "0")
      .replaceAll(/\/etc\/cfbe\.env(?!,)/g, file);
    const { code, stderr } = await new Deno.Command("sh", { args: ["-c", script] }).output();
    assert.equal(code, 1);
    assert.match(
      new TextDecoder().decode(stderr),
      /^\/etc\/cfbe\.env, line 2: the quote is not closed\. Close it/,
    );
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("systemd starts cfbe again for as long as that fails, such as on a disk that is full or a database that is not up yet", async () => {
  const unit = await read("docs/hosting/cfbe.service");
  const section = unit.slice(unit.indexOf("[Unit]"), unit.indexOf("[Service]"));
  assert.match(section, /^StartLimitIntervalSec=0$/m);
  assert.match(unit, /^Restart=always$/m);
});

Deno.test("neither the service, the container nor the command asks Deno's server for newer versions", async () => {
  for (const path of ["docs/hosting/cfbe.service", "Dockerfile", "docs/hosting/cfbe"]) {
    const said = (await read(path)).split("\n").filter((line) => /^(Environment=|ENV |export )/.test(line));
    assert.match(said.join("\n"), /[ =]DENO_NO_UPDATE_CHECK=1( |$)/m, path);
  }
});

Deno.test("files written by the systemd unit are readable only by its user", async () => {
  const unit = await read("docs/hosting/cfbe.service");
  assert.match(unit, /^UMask=0077$/m);
  assert.match(unit, /^StateDirectoryMode=0700$/m);
});

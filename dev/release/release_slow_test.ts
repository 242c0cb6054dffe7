import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { output } from "../checkout.ts";
import { verifySums } from "./artifacts.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");
const OUT = `${ROOT}/dev/release/dist`;

Deno.test("a dry run builds every file of a release and starts it, and a second one gives the same bytes (a minute: it builds twice)", async () => {
  const run = (zone: string) =>
    output(ROOT, Deno.execPath(), ["task", "release", "--version", "98.7.6", "--dry-run"], { TZ: zone });
  const printed = await run("UTC");
  assert.match(printed, /The checksums are right, and the server in the archive started/);
  assert.match(printed, /Before the release:\n.*run `deno task release:prepare 98\.7\.6`/);
  const sums = await Deno.readTextFile(`${OUT}/SHA256SUMS`);
  assert.deepEqual(sums.match(/(?<= {2}).+/g), [
    "cfbe-server-98.7.6.tar.gz",
    "cfbe-98.7.6.tgz",
    "cfbe-wordpress-98.7.6.zip",
    "cfbe-98.7.6.cdx.json",
  ]);
  const archived = (await output(OUT, "tar", ["-tzf", "cfbe-server-98.7.6.tar.gz"])).split("\n");
  for (const path of ["production.lock", "widget/dist/cfbe.js", "bridge/wordpress/dist/cfbe.zip"]) {
    assert.ok(archived.includes(`cfbe-98.7.6/${path}`), path);
  }
  assert.deepEqual(
    archived.filter((path) => /node_modules|\.lock$(?<!(deno|production)\.lock)/.test(path)),
    [],
  );

  await run("Asia/Tokyo");
  assert.equal(await Deno.readTextFile(`${OUT}/SHA256SUMS`), sums);

  await Deno.writeTextFile(`${OUT}/cfbe-98.7.6.cdx.json`, "{}");
  await assert.rejects(verifySums(OUT), /cfbe-98\.7\.6\.cdx\.json has another checksum/);
});

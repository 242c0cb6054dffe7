import assert from "node:assert/strict";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { isVersion, prepareRelease, problemsOf, versionOf, withPluginSection } from "./prepare.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FILES = [
  "shared/version.ts",
  "bridge/wordpress/plugin/cfbe.php",
  "bridge/wordpress/plugin/readme.txt",
  "bridge/wordpress/plugin/block/block.json",
  "widget/npm/README.md",
  "docs/embed.md",
];

async function temporaryCheckout(): Promise<AsyncDisposable & { root: string }> {
  const root = await Deno.makeTempDir({ prefix: "cfbe-release-" });
  for (const path of FILES) {
    await Deno.mkdir(dirname(`${root}/${path}`), { recursive: true });
    await Deno.copyFile(ROOT + path, `${root}/${path}`);
  }
  await Deno.writeTextFile(`${root}/CHANGELOG.md`, "# Changelog\n\nText.\n");
  await Deno.mkdir(`${root}/changelog.d/wordpress`, { recursive: true });
  await Deno.writeTextFile(`${root}/changelog.d/wordpress/new-block.added.md`, "There is a new block.\n");
  return { root, [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }) };
}

Deno.test("preparing a release writes its version into every file and collects the changes", async () => {
  await using checkout = await temporaryCheckout();
  const { root } = checkout;
  const before = await versionOf(root);
  await prepareRelease(root, "98.7.6", "2026-12-01");
  assert.equal(await versionOf(root), "98.7.6");
  for (const path of FILES) {
    const text = await Deno.readTextFile(`${root}/${path}`);
    assert.ok(text.includes("98.7.6"), path);
    const left = text.split("\n").filter((line) => line.includes(before) && line !== `= ${before} =`);
    assert.deepEqual(left, [], path);
  }
  assert.equal(
    await Deno.readTextFile(`${root}/CHANGELOG.md`),
    "# Changelog\n\nText.\n\n## 98.7.6 (2026-12-01)\n\n### Added\n\n**WordPress**\n\n- There is a new block.\n",
  );
  await assert.rejects(Deno.stat(`${root}/changelog.d`), Deno.errors.NotFound);
  await assert.rejects(prepareRelease(root, "98.7.6", "2026-12-02"), /already has a section for 98\.7\.6/);
});

Deno.test("a file in which the version is not found stops the preparation", async () => {
  await using checkout = await temporaryCheckout();
  await Deno.writeTextFile(`${checkout.root}/docs/embed.md`, "npm install cfbe\n");
  await assert.rejects(
    prepareRelease(checkout.root, "98.7.6", "2026-12-01"),
    /docs\/embed\.md: the version is/,
  );
});

Deno.test("the plugin's readme gets a section for each version, and one only", () => {
  const readme = "== Changelog ==\n\n= 0.1.0 =\n* First version.\n";
  const changes = [{ area: "wordpress", kind: "fixed", name: "a", text: "Fixed." }] as const;
  assert.equal(
    withPluginSection(readme, "0.2.0", changes),
    "== Changelog ==\n\n= 0.2.0 =\n* Fixed.\n\n= 0.1.0 =\n* First version.\n",
  );
  assert.match(
    withPluginSection(readme, "0.2.0", []),
    /= 0\.2\.0 =\n\* The same plugin, for cfbe 0\.2\.0\.\n/,
  );
  assert.equal(withPluginSection(readme, "0.1.0", changes), readme);
});

Deno.test("a commit is a release only with its version, its section, its tag, and nothing left over", () => {
  const ready = {
    version: "1.2.0",
    fragments: 0,
    hasSection: true,
    hasFigures: true,
    tags: ["v1.2.0"],
    changed: 0,
  };
  assert.deepEqual(problemsOf("1.2.0", ready), []);
  const problem = (change: Partial<typeof ready>) => problemsOf("1.2.0", { ...ready, ...change }).join();
  assert.match(problem({ version: "1.1.0" }), /^the sources have the version 1\.1\.0: run/);
  assert.match(problem({ fragments: 2 }), /^changelog\.d has 2 changes without a release: run/);
  assert.match(problem({ hasSection: false }), /^CHANGELOG\.md has no section for 1\.2\.0: run/);
  assert.match(
    problem({ hasFigures: false }),
    /^it was not measured: run `deno task bench:all --release 1\.2\.0`$/,
  );
  assert.match(problem({ changed: 3 }), /^3 files are not committed/);
  assert.match(problem({ tags: ["v1.2"] }), /^the commit has no tag v1\.2\.0$/);
});

Deno.test("a version of a release is three numbers", () => {
  assert.deepEqual(["1.2.3", "0.10.0"].filter(isVersion), ["1.2.3", "0.10.0"]);
  assert.deepEqual(["1.2", "v1.2.3", "1.2.3-rc.1", "01.2.3", "1.2.3 "].filter(isVersion), []);
});

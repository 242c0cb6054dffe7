/** `deno task release --version X.Y.Z`: builds, tries out and publishes a release. CONTRIBUTING.md explains it. */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { MeasuredRelease } from "../bench/releases.ts";
import { startProgram } from "../bench/started_program.ts";
import { type CheckedOut, checkOut, git, output } from "../checkout.ts";
import { buildArtifacts, unpackForProduction, verifySums } from "./artifacts.ts";
import { findSection, fragmentPaths, withAbsoluteLinks } from "./changelog.ts";
import { formatChangelog, isVersion, prepareRelease, problemsOf, versionOf } from "./prepare.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");
const OUT = `${ROOT}/dev/release/dist`;

const { values } = parseArgs({
  options: { version: { type: "string" }, "dry-run": { type: "boolean", default: false } },
});
const { version = "", "dry-run": dryRun } = values;
if (!isVersion(version)) exit(2, "Name the version: deno task release --version 1.2.0");

const releases: MeasuredRelease[] = JSON.parse(await Deno.readTextFile(`${ROOT}/dev/bench/releases.json`));
const problems = problemsOf(version, {
  version: await versionOf(ROOT),
  fragments: fragmentPaths(ROOT).length,
  hasSection: findSection(await Deno.readTextFile(`${ROOT}/CHANGELOG.md`), version) !== undefined,
  hasFigures: releases.some((release) => release.version === version),
  tags: (await git(ROOT, "tag", "--points-at", "HEAD")).split("\n"),
  changed: (await git(ROOT, "status", "--porcelain")).split("\n").filter(Boolean).length,
});
if (!dryRun && problems.length > 0) exit(1, `This is no release yet:\n${asList(problems)}`);

await using checkout = await checkOut("HEAD");
if (dryRun) await prepareIfNeeded(checkout, version);
const files = await buildArtifacts(checkout.folder, OUT);
const notes = `${OUT}/notes.md`;
await Deno.writeTextFile(notes, await releaseNotes(checkout.folder));
await verifySums(OUT);
await tryOut(`${OUT}/${files.find((name) => name.endsWith(".tar.gz"))}`);

for (const name of files) {
  const { size } = await Deno.stat(`${OUT}/${name}`);
  console.log(`${OUT}/${name}  ${(size / 1024).toFixed(1)} KB`);
}
console.log(await Deno.readTextFile(`${OUT}/SHA256SUMS`));
console.log("The checksums are right, and the server in the archive started and served the widget.");
if (dryRun) {
  if (problems.length > 0) console.log(`Before the release:\n${asList(problems)}`);
} else {
  const paths = files.map((name) => `${OUT}/${name}`);
  const title = ["--title", `cfbe ${version}`, "--notes-file", notes];
  console.log(
    await output(ROOT, "gh", ["release", "create", `v${version}`, "--verify-tag", ...title, ...paths]),
  );
}

/** Makes the commit of the release in the checkout, as `release:prepare` would. Its time is that of its parent. */
async function prepareIfNeeded({ folder, commit }: CheckedOut, version: string): Promise<void> {
  if (findSection(await Deno.readTextFile(`${folder}/CHANGELOG.md`), version)) return;
  const [seconds = "", day = ""] = (await git(folder, "log", "-1", "--format=%ct %cs")).split(" ");
  await prepareRelease(folder, version, day);
  await formatChangelog(folder);
  await git(folder, "add", "--all");
  const identity = ["-c", "user.name=cfbe", "-c", "user.email=cfbe@localhost", "-c", "commit.gpgSign=false"];
  const dates = { GIT_AUTHOR_DATE: `${seconds} +0000`, GIT_COMMITTER_DATE: `${seconds} +0000` };
  const args = [...identity, "commit", "--quiet", "--no-verify", "--message", `Release ${version}`];
  await output(folder, "git", args, dates);
  console.log(`Built from ${commit} with the changes of release:prepare.`);
}

/** Returns the changelog's section for the page of a release, where every line break counts and links need a host. */
async function releaseNotes(folder: string): Promise<string> {
  const section = findSection(await Deno.readTextFile(`${folder}/CHANGELOG.md`), version) ?? "";
  const { GITHUB_SERVER_URL: server = "https://github.com", GITHUB_REPOSITORY: repository = "OWNER/cfbe" } =
    Deno.env.toObject();
  const text = section.split("\n").slice(1).join("\n").trim().replace(/\n {2}(?=\S)/g, " ");
  return withAbsoluteLinks(text, `${server}/${repository}/blob/v${version}`) + "\n";
}

/** Starts the server in the archive of a release, as docs/hosting.md does, and requests the widget from it. */
async function tryOut(archive: string): Promise<void> {
  const temporary = await Deno.makeTempDir({ prefix: "cfbe-release-" });
  try {
    const folder = await unpackForProduction(archive, temporary);
    const flags = ["--config", "production.json", "--no-prompt", "--cached-only"];
    await using server = await startProgram(folder, `${temporary}/cfbe.kv`, flags);
    const response = await fetch(`${server.url}/cfbe.js`);
    const loader = await response.text();
    const built = await Deno.readTextFile(`${folder}/widget/dist/cfbe.js`);
    if (loader !== built) {
      throw new Error(`the server in the archive answers /cfbe.js with ${response.status}`);
    }
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
}

function asList(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function exit(code: number, message: string): never {
  console.error(message);
  Deno.exit(code);
}

/** `deno task release:prepare X.Y.Z`: writes the version into the sources, and the changelog's section of the release. */
import { fileURLToPath } from "node:url";
import { output } from "../checkout.ts";
import { findSection, type Fragment, readFragments, sectionOf, withSection } from "./changelog.ts";

/** Where a file contains the version: the text before it. */
const VERSIONS: [path: string, before: RegExp][] = [
  ["shared/version.ts", /export const VERSION = "/],
  ["bridge/wordpress/plugin/cfbe.php", /^ \* Version: +/m],
  ["bridge/wordpress/plugin/cfbe.php", /'CFBE_PLUGIN_VERSION', '/],
  ["bridge/wordpress/plugin/readme.txt", /^Stable tag: /m],
  ["bridge/wordpress/plugin/block/block.json", /^ {2}"version": "/m],
  ["widget/npm/README.md", /npm install \.\/cfbe-/],
  ["widget/npm/README.md", /Download `cfbe-/],
  ["docs/embed.md", /npm install \.\/cfbe-/],
];
const PLUGIN_README = "bridge/wordpress/plugin/readme.txt";

/** Returns whether a text is a version of a release, such as `1.2.0`. */
export const isVersion = (text: string) => /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(text);

/** Returns the version in the sources of a checkout. */
export async function versionOf(root: string): Promise<string> {
  const [, version = ""] = /VERSION = "([^"]*)"/.exec(await Deno.readTextFile(`${root}/shared/version.ts`)) ??
    [];
  return version;
}

/** @throws {Error} if a place for the version is missing */
function withVersion(path: string, text: string, before: RegExp, version: string): string {
  const place = new RegExp(`(${before.source})\\d+\\.\\d+\\.\\d+`, before.flags);
  if (!place.test(text)) throw new Error(`${path}: the version is not where it was: ${before.source}`);
  return text.replace(place, (_, found: string) => found + version);
}

/** Returns the plugin's readme with a section for the version, above those of earlier versions. */
export function withPluginSection(readme: string, version: string, fragments: readonly Fragment[]): string {
  if (readme.includes(`\n= ${version} =\n`)) return readme;
  const changes = fragments.filter(({ area }) => area === "wordpress");
  const lines = changes.length > 0
    ? changes.map(({ text, whatToDo }) => `* ${text}${whatToDo ? ` ${whatToDo}` : ""}`)
    : [`* The same plugin, for cfbe ${version}.`];
  return readme.replace(
    "== Changelog ==\n\n",
    (heading) => `${heading}= ${version} =\n${lines.join("\n")}\n\n`,
  );
}

/**
 * Writes the version into the sources of a checkout, collects the changelog's fragments, and deletes them.
 *
 * @param day of the release, such as `2026-12-01`
 * @throws {Error} if the changelog already has the version, a fragment is malformed, or a place for the version is
 * missing
 */
export async function prepareRelease(root: string, version: string, day: string): Promise<void> {
  const fragments = readFragments(root);
  const changelog = await Deno.readTextFile(`${root}/CHANGELOG.md`);
  if (findSection(changelog, version)) throw new Error(`CHANGELOG.md already has a section for ${version}`);
  for (const [path, before] of VERSIONS) {
    const text = await Deno.readTextFile(`${root}/${path}`);
    await Deno.writeTextFile(`${root}/${path}`, withVersion(path, text, before, version));
  }
  const readme = await Deno.readTextFile(`${root}/${PLUGIN_README}`);
  await Deno.writeTextFile(`${root}/${PLUGIN_README}`, withPluginSection(readme, version, fragments));
  await Deno.writeTextFile(
    `${root}/CHANGELOG.md`,
    withSection(changelog, sectionOf(version, day, fragments)),
  );
  if (fragments.length > 0) await Deno.remove(`${root}/changelog.d`, { recursive: true });
}

/** Formats the changelog of a prepared checkout. */
export async function formatChangelog(root: string): Promise<void> {
  await output(root, Deno.execPath(), ["fmt", "--quiet", "CHANGELOG.md"]);
}

/** What a checkout says about the next release. */
export interface Readiness {
  /** The version in its sources. */
  version: string;
  /** Number of changelog fragments. */
  fragments: number;
  /** Whether the changelog has a section for the release. */
  hasSection: boolean;
  /** Whether the performance of the release was measured. */
  hasFigures: boolean;
  /** Tags of the checked out commit. */
  tags: string[];
  /** Number of files that are not as in the commit. */
  changed: number;
}

/** Returns what has to be done before a commit is the release of this version; nothing if it is. */
export function problemsOf(version: string, checkout: Readiness): string[] {
  const prepare = `run \`deno task release:prepare ${version}\``;
  return [
    checkout.version !== version && `the sources have the version ${checkout.version}: ${prepare}`,
    checkout.fragments > 0 && `changelog.d has ${checkout.fragments} changes without a release: ${prepare}`,
    !checkout.hasSection && `CHANGELOG.md has no section for ${version}: ${prepare}`,
    !checkout.hasFigures && `it was not measured: run \`deno task bench:all --release ${version}\``,
    checkout.changed > 0 && `${checkout.changed} files are not committed, and would not be in the release`,
    !checkout.tags.includes(`v${version}`) && `the commit has no tag v${version}`,
  ].filter((problem) => typeof problem === "string");
}

if (import.meta.main) {
  const [version = "", ...more] = Deno.args;
  if (!isVersion(version) || more.length > 0) {
    console.error("Name the version of the release: deno task release:prepare 1.2.0");
    Deno.exit(2);
  }
  const root = fileURLToPath(new URL("../../", import.meta.url));
  await prepareRelease(root, version, new Date().toISOString().slice(0, 10));
  await formatChangelog(root);
  console.log(
    `Prepared ${version}. Look at the diff, commit it as "Release ${version}", and tag it v${version}.`,
  );
}

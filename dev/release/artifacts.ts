import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { git, output, task } from "../checkout.ts";
import { type Lock, sbomOf } from "./sbom.ts";
import { versionOf } from "./prepare.ts";

const SUMS = "SHA256SUMS";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/**
 * Builds what a release consists of. The same commit gives the same bytes.
 *
 * @param checkout a commit's folder, with its packages installed and nothing changed
 * @param out folder to write the files into, which is emptied
 * @returns names of the files, the checksums last
 */
export async function buildArtifacts(checkout: string, out: string): Promise<string[]> {
  const version = await versionOf(checkout);
  const seconds = Number(await git(checkout, "log", "-1", "--format=%ct"));
  await task(checkout, "build", "--logLevel", "warn");
  await task(checkout, "pack");
  await task(checkout, "wordpress");
  const read = (path: string) => Deno.readFile(`${checkout}/${path}`);
  const lock: Lock = JSON.parse(await Deno.readTextFile(`${checkout}/production.lock`));
  const files: Record<string, Uint8Array> = {
    [`cfbe-server-${version}.tar.gz`]: await sourceArchive(checkout, `cfbe-${version}/`),
    [`cfbe-${version}.tgz`]: await read(`widget/dist-npm/cfbe-${version}.tgz`),
    [`cfbe-wordpress-${version}.zip`]: await read("bridge/wordpress/dist/cfbe.zip"),
    [`cfbe-${version}.cdx.json`]: new TextEncoder().encode(sbomOf(lock, version, new Date(seconds * 1000))),
  };
  const sums = Object.entries(files).map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`).join("");
  files[SUMS] = new TextEncoder().encode(sums);
  await Deno.remove(out, { recursive: true }).catch(() => {});
  await Deno.mkdir(out, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) await Deno.writeFile(`${out}/${name}`, bytes);
  return Object.keys(files);
}

/** Returns the commit's files with the built widget and plugin, which a host would need the build's packages for. */
async function sourceArchive(checkout: string, prefix: string): Promise<Uint8Array> {
  const folders = ["widget/dist", "widget/dist/cfbe", "bridge/wordpress/dist"];
  const built = folders.flatMap((folder) => [
    `--prefix=${prefix}${folder}/`,
    ...[...Deno.readDirSync(`${checkout}/${folder}`)]
      .filter(({ name, isFile }) => isFile && name !== ".lock")
      .map(({ name }) => `--add-file=${folder}/${name}`).sort(),
  ]);
  const tar = `${await Deno.makeTempFile({ prefix: "cfbe-release-" })}`;
  try {
    // Its last prefix is that of the commit's files. The mask could differ in the user's settings of git.
    const args = ["-c", "tar.umask=0022", "archive", "--format=tar", `--output=${tar}`, ...built];
    await git(checkout, ...args, `--prefix=${prefix}`, "HEAD");
    return gzipSync(await Deno.readFile(tar), { level: 9 });
  } finally {
    await Deno.remove(tar);
  }
}

/**
 * Compares every file with its checksum.
 *
 * @param out folder of the files
 * @throws {Error} with the file that differs or is missing
 */
export async function verifySums(out: string): Promise<void> {
  for (const line of (await Deno.readTextFile(`${out}/${SUMS}`)).trimEnd().split("\n")) {
    const [sum, name] = line.split("  ") as [string, string];
    if (sha256(await Deno.readFile(`${out}/${name}`)) !== sum) {
      throw new Error(`${name} has another checksum`);
    }
  }
}

/** Unpacks the archive of a release into a folder, and installs what production needs. Returns the unpacked folder. */
export async function unpackForProduction(archive: string, into: string): Promise<string> {
  await output(into, "tar", ["--extract", "--gzip", "--file", archive]);
  const [folder] = [...Deno.readDirSync(into)].map(({ name }) => `${into}/${name}`);
  if (folder === undefined) throw new Error(`${archive} is empty`);
  await output(folder, Deno.execPath(), ["install", "--quiet", "--frozen", "--config", "production.json"]);
  return folder;
}

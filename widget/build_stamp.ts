/**
 * The stamp of a build: a file in `widget/dist` that says from which sources the files beside it were built.
 *
 * It holds hashes of contents. A fresh checkout changes every modification time and no content.
 */

/** Everything that a build reads, as paths from the root of the repository. */
const SOURCES = ["widget/src", "shared", "widget/vite.config.ts", "widget/deno.json", "deno.lock"];
const OUTPUT = "widget/dist";
const STAMP = `${OUTPUT}/.built-from`;

/** Returns the paths of all files at a path, sorted, without the stamp. A missing path has none. */
function filesAt(root: string, path: string): string[] {
  let entries: Deno.DirEntry[];
  try {
    if (!Deno.statSync(`${root}/${path}`).isDirectory) return [path];
    entries = [...Deno.readDirSync(`${root}/${path}`)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  return entries.map(({ name }) => `${path}/${name}`).filter((inside) => inside !== STAMP).sort()
    .flatMap((inside) => filesAt(root, inside));
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Returns a hash of the paths and contents of all files at `paths`. */
async function contentHash(root: string, paths: string[]): Promise<string> {
  const files = paths.flatMap((path) => filesAt(root, path));
  const lines = await Promise.all(
    files.map(async (path) => `${await hashOf(await Deno.readFile(`${root}/${path}`))} ${path}`),
  );
  return await hashOf(new TextEncoder().encode(lines.join("\n")));
}

/** Returns whether `widget/dist` holds an unchanged build of the current sources. */
export async function isUpToDate(root: string): Promise<boolean> {
  const stamp = await Deno.readTextFile(`${root}/${STAMP}`).catch(() => "");
  return stamp !== "" && stamp === await stampOf(root, await contentHash(root, SOURCES));
}

/**
 * Starts a build: removes the stamp, so that an interrupted build is repeated.
 *
 * @param root path of the repository
 * @returns writes the stamp; to be called after the last file of the build
 */
export async function startStamp(root: string): Promise<() => Promise<void>> {
  await Deno.remove(`${root}/${STAMP}`).catch(() => {});
  // Hashed before the build reads the sources: a change during the build must cause another one.
  const sources = await contentHash(root, SOURCES);
  return async () => Deno.writeTextFile(`${root}/${STAMP}`, await stampOf(root, sources));
}

async function stampOf(root: string, sources: string): Promise<string> {
  return `sources ${sources}\noutput ${await contentHash(root, [OUTPUT])}\n`;
}

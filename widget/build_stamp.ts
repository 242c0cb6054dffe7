/**
 * What several builds of the widget share in `widget/dist`: a lock, so that one of them builds at a time, and a stamp, a
 * file that says from which sources the files beside it were built.
 *
 * The stamp holds hashes of contents. A fresh checkout changes every modification time and no content.
 */

/** Everything that a build reads, as paths from the root of the repository. */
const SOURCES = ["widget/src", "shared", "widget/vite.config.ts", "widget/deno.json", "deno.lock"];
const OUTPUT = "widget/dist";
const STAMP = `${OUTPUT}/.built-from`;
const LOCK = `${OUTPUT}/.lock`;

/** Returns the paths of all files at a path, sorted, without those whose name starts with a dot. A missing path has none. */
function filesAt(root: string, path: string): string[] {
  let entries: Deno.DirEntry[];
  try {
    if (!Deno.statSync(`${root}/${path}`).isDirectory) return [path];
    entries = [...Deno.readDirSync(`${root}/${path}`)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  return entries.filter(({ name }) => !name.startsWith(".")).map(({ name }) => `${path}/${name}`).sort()
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

/** The only build of a repository. It has to be disposed of, and ends with its process. */
export interface Build extends Disposable {
  /** Another build of the current sources has finished while this one waited for it. */
  isDone: boolean;
  /** Writes the stamp. To be called after the last file of the build. */
  writeStamp(): Promise<void>;
}

/**
 * Starts a build, after the one that is running. Removes the stamp, so that an interrupted build is repeated.
 *
 * @param root path of the repository
 */
export async function startBuild(root: string): Promise<Build> {
  const wasUpToDate = await isUpToDate(root);
  await Deno.mkdir(`${root}/${OUTPUT}`, { recursive: true });
  const file = await Deno.open(`${root}/${LOCK}`, { create: true, write: true });
  await file.lock(true);
  const isDone = !wasUpToDate && await isUpToDate(root);
  if (!isDone) await Deno.remove(`${root}/${STAMP}`).catch(() => {});
  // Hashed before the build reads the sources: a change during the build must cause another one.
  const sources = await contentHash(root, SOURCES);
  return {
    isDone,
    writeStamp: async () => Deno.writeTextFile(`${root}/${STAMP}`, await stampOf(root, sources)),
    [Symbol.dispose]: () => file.close(),
  };
}

async function stampOf(root: string, sources: string): Promise<string> {
  return `sources ${sources}\noutput ${await contentHash(root, [OUTPUT])}\n`;
}

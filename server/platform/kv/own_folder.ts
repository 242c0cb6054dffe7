import { basename, dirname, sep } from "node:path";

/** What the name of a file of cfbe has after the name of the database. */
const ENDINGS = /^(|-wal|-shm|\.lock|\.salt|\.token|\.restoring(|-wal|-shm|\.lock))$/;
/** Any permission for the folder's group or for others. */
const OTHERS = 0o077;
/** Set-user-ID, set-group-ID and sticky: whoever sets one shares the folder on purpose. */
const SHARED = 0o7000;
const OWNER_ONLY = 0o700;

/**
 * Makes the folder of a database accessible only to this user, whoever made it, if it is clearly there for cfbe alone: it
 * contains nothing but files of this database, and is neither where the program runs nor a folder such as `/srv`. Every
 * other folder stays as it is, because somebody else may need it; a start warns if others can write there.
 *
 * @param file the path of the database, without symbolic links
 * @param cwd returns the working directory
 */
export async function keepFolderPrivate(file: string, cwd = Deno.cwd): Promise<void> {
  const folder = dirname(file);
  try {
    const mode = (await Deno.stat(folder)).mode;
    if (mode === null || (mode & OTHERS) === 0 || (mode & SHARED) !== 0) return;
    const isOfSystem = dirname(dirname(folder)) === dirname(folder);
    if (isOfSystem || (cwd() + sep).startsWith(folder + sep)) return;
    for await (const { name } of Deno.readDir(folder)) {
      if (!name.startsWith(basename(file)) || !ENDINGS.test(name.slice(basename(file).length))) return;
    }
    await Deno.chmod(folder, OWNER_ONLY);
  } catch {
    // Another user owns the folder, the system has no modes, or cfbe may not look at them.
  }
}

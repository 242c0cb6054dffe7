/** Another commit of this repository in a folder of its own: what a release is built from, or a benchmark measures. */
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url)).replace(/\/$/, "");

export interface CheckedOut extends AsyncDisposable {
  folder: string;
  /** Its full hash. */
  commit: string;
}

/**
 * Runs a program to its end, and returns what it printed.
 *
 * @throws {Error} with what it said about the failure
 */
export async function output(
  folder: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, cwd: folder, env }).output();
  const [printed, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)) as [
    string,
    string,
  ];
  if (!success) throw new Error(`${command} ${args.join(" ")} failed in ${folder}: ${errors || printed}`);
  return printed.trim();
}

export const git = (folder: string, ...args: string[]) => output(folder, "git", args);

/** Runs a task of a checkout. */
export const task = (folder: string, ...args: string[]) =>
  output(folder, Deno.execPath(), ["task", "--quiet", ...args]);

/**
 * Checks a commit out into a temporary folder, with its packages installed. Disposing of it removes the folder.
 *
 * @param ref a commit, a branch or a tag
 * @throws {Error} if there is no such commit, or the packages cannot be installed
 */
export async function checkOut(ref: string): Promise<CheckedOut> {
  const commit = await git(ROOT, "rev-parse", "--verify", "--quiet", `${ref}^{commit}`).catch(() => {
    throw new Error(`this repository has no commit ${ref}`);
  });
  const temporary = await Deno.makeTempDir({ prefix: "cfbe-checkout-" });
  const folder = `${temporary}/cfbe`;
  const dispose = async () => {
    await git(ROOT, "worktree", "remove", "--force", folder).catch(() => {});
    await Deno.remove(temporary, { recursive: true });
  };
  try {
    await git(ROOT, "worktree", "add", "--quiet", "--detach", folder, commit);
    await output(folder, Deno.execPath(), ["install", "--quiet", "--frozen"]);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { folder, commit, [Symbol.asyncDispose]: dispose };
}

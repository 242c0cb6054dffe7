import { fileURLToPath } from "node:url";

const ROOT = new URL("../../../", import.meta.url);
/** A package of the build, which no production installation keeps. */
const BUILD_PACKAGE = "node_modules/vite";

let command: string | undefined;

/**
 * Returns what starts the command line here: `CFBE_COMMAND` if it is set, or `deno task cfbe`. Where only the packages of production.json are installed
 * (`deno task production`), it selects this file, because every task would otherwise install the rest again.
 */
export function cfbeCommand(): string {
  return command ??= commandIn(ROOT, Deno.env.get("CFBE_COMMAND"));
}

/**
 * @param root the folder of the installation, with a slash at the end
 * @param configured the value of `CFBE_COMMAND`
 */
export function commandIn(root: URL, configured?: string): string {
  if (configured) return configured;
  const isProduction = !exists(root, BUILD_PACKAGE) &&
    read(root, "deno.json") !== read(root, "production.json");
  return isProduction ? "deno task --config production.json cfbe" : "deno task cfbe";
}

function exists(root: URL, path: string): boolean {
  try {
    Deno.statSync(fileURLToPath(new URL(path, root)));
    return true;
  } catch (error) {
    // Without permission to look, nothing is known about the installation.
    return !(error instanceof Deno.errors.NotFound);
  }
}

function read(root: URL, path: string): string | undefined {
  try {
    return Deno.readTextFileSync(fileURLToPath(new URL(path, root)));
  } catch {
    return undefined;
  }
}

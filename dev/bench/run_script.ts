import { join } from "node:path";

/**
 * Runs a script of a checkout.
 *
 * @param path relative to the checkout's folder
 * @returns what the script printed, parsed as JSON, or undefined if it failed
 */
export async function runScript<Printed>(folder: string, path: string): Promise<Printed | undefined> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", join(folder, path)],
    cwd: folder,
    stderr: "inherit",
  }).output();
  return success ? JSON.parse(new TextDecoder().decode(stdout)) : undefined;
}

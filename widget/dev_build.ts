/** Builds the widget for `deno task dev`: without minifying, and within the running process, which takes a second. */
import { fileURLToPath } from "node:url";
import { createBuilder } from "vite";

const HERE = fileURLToPath(new URL("./", import.meta.url));

/**
 * Prepares the build; each call of the returned function builds into `widget/dist`, whose loader is written last.
 *
 * @throws {Error} in that function, if a source does not compile
 */
export async function prepareBuild(): Promise<() => Promise<void>> {
  const builder = await createBuilder({ root: HERE, mode: "development", logLevel: "warn" });
  for (const environment of Object.values(builder.environments)) environment.config.build.minify = false;
  return () => builder.buildApp();
}

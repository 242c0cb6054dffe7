import type { Log } from "../../platform/deps.ts";
import { isSkipped, readingOf, run } from "./check.ts";
import { fileModes } from "./files.ts";
import { checksIn } from "./registry.ts";
import { READERS, type ValueDeps } from "./values.ts";

/**
 * Logs the problems that do not stop the start, but will lose signups or expose secrets. Does not wait for the site's own
 * code before it logs what it knows.
 *
 * @param environment the environment variables
 */
export async function logStartWarnings(
  app: ValueDeps & { log: Log },
  environment: Record<string, string | undefined>,
): Promise<void> {
  const read = readingOf(app, {
    ...READERS,
    environment: () => environment,
    files: ({ config: { kv } }) => fileModes(kv),
  });
  await Promise.all(
    checksIn(({ start }) => start).map(async (check) => {
      const result = await run(check, read);
      for (const { id, what, todo } of isSkipped(result) ? [] : result) {
        app.log.warn(id, { message: `${what} ${todo}`.trim() });
      }
    }),
  );
}

import { bootstrap } from "../../server/program/bootstrap.ts";
import type { Program } from "../../server/program/program.ts";
import { ManualClock } from "./manual_clock.ts";

/**
 * Runs a test with several processes, one after another, on the same database file: each `life` starts and ends the
 * program.
 */
export async function onFile(
  test: (life: <T>(use: (program: Program) => Promise<T>) => Promise<T>) => Promise<void>,
  {
    clock = new ManualClock(),
  }: { clock?: ManualClock } = {},
) {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-start-" });
  const env = { CFBE_KV: `${folder}/cfbe.kv`, CFBE_SALT: "a salt for tests, long enough to be one" };
  try {
    await test(async (use) => {
      const program = await bootstrap(env, { clock, file: {}, write: () => {} });
      try {
        return await use(program);
      } finally {
        await program.close(0);
      }
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

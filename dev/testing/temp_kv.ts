import { openDenoKv } from "../../server/platform/kv/engines/deno_kv.ts";
import { REMOTE_LIMITS, withLimits } from "../../server/platform/kv/limits.ts";
import type { Kv, KvLimits } from "../../server/platform/kv/port.ts";
import { withPortableValues } from "../../server/platform/kv/portable_values.ts";
import { limitedKv } from "./limited_kv.ts";

/** A database that is deleted when it is disposed. */
export interface TempKv extends AsyncDisposable {
  readonly kv: Kv;
  /** The same, but it stores values as they are, for tests of what lies between the server and its engine. */
  readonly engine: Kv;
}

/**
 * Opens an empty database: in memory, or in a temporary file for tests that need one. If `CFBE_TEST_DATABASE` names a
 * PostgreSQL server, it is a database there instead of in memory (`e2e/engines/server_tests_test.ts`). It stores values as the server does
 * and has the limits of the engine that allows least, so that what works in a test works on every engine.
 *
 * @example
 * ```ts
 * await using temp = await tempKv();
 * await temp.kv.set(["a"], 1);
 * ```
 */
export async function tempKv(
  where: "memory" | "file" = "memory",
  limits: KvLimits = REMOTE_LIMITS,
): Promise<TempKv> {
  const server = Deno.env.get("CFBE_TEST_DATABASE");
  if (server && where === "memory") {
    const { kv, close } = await (await import("../../server/platform/kv/engines/testing/new_database.ts"))
      .newPostgresDatabase(server);
    return { ...layersOf(kv, limits), [Symbol.asyncDispose]: close };
  }
  const folder = where === "file" ? await Deno.makeTempDir({ prefix: "cfbe-kv-" }) : undefined;
  const kv = await openDenoKv(folder ? `${folder}/test.kv` : ":memory:");
  return {
    ...layersOf(kv, limits),
    async [Symbol.asyncDispose]() {
      kv.close();
      if (folder) await Deno.remove(folder, { recursive: true });
    },
  };
}

function layersOf(kv: Kv, limits: KvLimits): Pick<TempKv, "kv" | "engine"> {
  const engine = limitedKv(kv, limits);
  return { kv: withLimits(withPortableValues(engine), limits), engine };
}

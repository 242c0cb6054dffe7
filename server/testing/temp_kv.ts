/** A database that is deleted when it is disposed. */
export interface TempKv extends AsyncDisposable {
  readonly kv: Deno.Kv;
}

/**
 * Opens an empty database: in memory, or in a temporary file for tests that need one.
 *
 * @example
 * ```ts
 * await using temp = await tempKv();
 * await temp.kv.set(["a"], 1);
 * ```
 */
export async function tempKv(where: "memory" | "file" = "memory"): Promise<TempKv> {
  const folder = where === "file" ? await Deno.makeTempDir({ prefix: "cfbe-kv-" }) : undefined;
  const kv = await Deno.openKv(folder ? `${folder}/test.kv` : ":memory:");
  return {
    kv,
    async [Symbol.asyncDispose]() {
      kv.close();
      if (folder) await Deno.remove(folder, { recursive: true });
    },
  };
}

/** A database that is gone at the end of its block. */
export interface TempKv extends AsyncDisposable {
  readonly kv: Deno.Kv;
}

/**
 * Opens an empty database: in memory, or in a file of its own for what only shows on disk.
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

import { type Harness, harness, LIST } from "../../../../dev/testing/harness.ts";
import { keys } from "../../../platform/kv/keys.ts";
import type { Kv } from "../../../platform/kv/port.ts";
import { restore, type RestoreOptions } from "../restore.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Reads a stream to its end. */
export async function readBytes(stream: ReadableStream<Uint8Array>): Promise<Bytes> {
  return new Uint8Array(await new Response(stream as ReadableStream<Bytes>).arrayBuffer());
}

export const streamOf = (bytes: Bytes) => new Blob([bytes]).stream();

/** Restores a backup into another database, with the services of a harness. */
export function restoreInto(app: Harness, kv: Kv, bytes: Bytes, more: Partial<RestoreOptions> = {}) {
  return restore({ ...app.services, kv, open: () => Promise.resolve(streamOf(bytes)), ...more });
}

/** Returns all rows of a database by their printed key, but not the time of the last restore. */
export async function rowsOf(kv: Kv): Promise<Map<string, unknown>> {
  const found = await Array.fromAsync(kv.list({ prefix: [] }));
  const rows = found.filter(({ key }) => key[2] !== keys.restored()[2]);
  return new Map(rows.map(({ key, value }) => [Deno.inspect(key, { colors: false }), value]));
}

/** Creates a service that has rows of many kinds. */
export async function usedService(): Promise<Harness> {
  const app = await harness();
  await app.services.settings.save("general", { apiKey: "saved-provider-key", projectId: "p" });
  for (const name of ["ann", "ben", "cyd"]) {
    await (await app.post({ email: `${name}@example.com` })).body?.cancel();
  }
  await app.work();
  app.provider.put(LIST, "ben@example.com", "active");
  await (await app.hook({ type: "open" })).body?.cancel();
  await (await app.post({ email: "dan@example.com" })).body?.cancel();
  await app.services.counters.flush();
  await app.services.webhookCalls.flush();
  app.services.refusedOrigins.note(new Headers({ origin: "https://other.example" }));
  await app.services.refusedOrigins.flush();
  return app;
}

import { kvFactories } from "../../../../dev/testing/kv_factories.ts";
import { limitedKv } from "../../../../dev/testing/limited_kv.ts";
import { systemRandom } from "../../../platform/deps.ts";
import { KV_CONNECT_ENGINE, openDenoKv } from "../../../platform/kv/engines/deno_kv.ts";
import { keys } from "../../../platform/kv/keys.ts";
import { REMOTE_LIMITS } from "../../../platform/kv/limits.ts";
import type { OpenedKv } from "../../../platform/kv/open.ts";
import { withPortableValues } from "../../../platform/kv/portable_values.ts";
import { withGate } from "../../../platform/kv/with_gate.ts";

type TestDatabase = Pick<OpenedKv, "kv" | "raw"> & AsyncDisposable;

const factory = (name: string) => kvFactories().find((one) => one.name === name)!;

/** Opens an empty database of each kind. There is one PostgreSQL database for all tests of a process. */
export const DATABASES: Record<string, () => Promise<TestDatabase>> = {
  memory: () => factory("memory").open(),
  file: () => factory("file").open(),
  async "KV Connect"() {
    const engine = await openDenoKv(":memory:", KV_CONNECT_ENGINE);
    const raw = limitedKv(engine, REMOTE_LIMITS);
    return {
      raw,
      kv: withPortableValues(withGate(raw, systemRandom)),
      [Symbol.asyncDispose]: () => engine.close(),
    };
  },
  async PostgreSQL() {
    const opened = await factory("PostgreSQL").open();
    for await (const { key } of opened.raw.list({ prefix: keys.all() })) await opened.raw.delete(key);
    return opened;
  },
};

import { listing } from "./listing.ts";
import { committing } from "./operation.ts";
import type { Kv } from "./port.ts";
import { wrap } from "./wrap.ts";

/** Returns the same database, but each call resolves as `around` does, which gets the promise of the call. */
export function aroundCalls(
  inner: Kv,
  around: <T>(call: Promise<T>, kind: "read" | "commit") => Promise<T>,
): Kv {
  return wrap(inner, {
    // Read at each call, because the database may be replaced.
    get now() {
      const { now } = inner;
      return now && (() => around(now(), "read"));
    },
    get: (...args: Parameters<Kv["get"]>) => around(inner.get(...args), "read"),
    getMany: (...args: Parameters<Kv["getMany"]>) => around(inner.getMany(...args), "read"),
    set: (...args: Parameters<Kv["set"]>) => around(inner.set(...args), "commit"),
    delete: (...args: Parameters<Kv["delete"]>) => around(inner.delete(...args), "commit"),
    changeGate: (...args: Parameters<Kv["changeGate"]>) => around(inner.changeGate(...args), "commit"),
    ...listing((...args) => around(inner.page(...args), "read")),
    ...committing((operation) => around(inner.commit(operation), "commit")),
  });
}

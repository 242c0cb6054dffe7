import { readReadable } from "../../platform/kv/bad_rows.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { SignupProviders } from "../record/provider_of.ts";
import { signupKey } from "../record/row.ts";
import { maybeDeliveredOn } from "./maybe_delivered.ts";
import { type PendingEntry, pendingOn } from "./pending_index.ts";

/** The pending signups on a list, by the provider that they belong to: lists of two providers can have the same ID. */
export interface PendingByProvider {
  /** Returns the names of the providers with pending signups on a list, or with queued ones if it has no pending ones. */
  providersOn(list: string): Promise<Set<string>>;
  /** Yields those of one provider, oldest first; with `after`, only those that became pending after this time. */
  pendingAt(name: string, list: string, after?: number): AsyncGenerator<PendingEntry>;
}

interface Deps {
  kv: Kv;
  signupProviders: Pick<SignupProviders, "nameOf">;
  /** Returns the names of the providers that have been chosen so far. */
  namesSoFar(): readonly string[];
}

export function pendingByProvider({ kv, signupProviders: { nameOf }, namesSoFar }: Deps): PendingByProvider {
  /** Reads the record of an entry without a name, which an earlier release has written, unless only one is possible. */
  async function nameOfEntry(entry: PendingEntry, list: string): Promise<string> {
    if (entry.provider !== undefined || namesSoFar().length === 1) return nameOf(entry);
    return nameOf((await readReadable(kv, [signupKey(entry.email, list)]))[0] ?? {});
  }

  return {
    async providersOn(list) {
      const names = new Set<string>();
      for await (const entry of pendingOn(kv, list)) names.add(await nameOfEntry(entry, list));
      if (names.size > 0) return names;
      for await (const email of maybeDeliveredOn(kv, list)) {
        const [record] = await readReadable(kv, [signupKey(email, list)]);
        if (record) return names.add(nameOf(record));
      }
      return names;
    },
    async *pendingAt(name, list, after) {
      for await (const entry of pendingOn(kv, list, after)) {
        if (await nameOfEntry(entry, list) === name) yield entry;
      }
    },
  };
}

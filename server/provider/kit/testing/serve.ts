import { transport } from "../../../http/outbound/transport.ts";
import { type Faulty, startFaulty } from "../../../testing/faulty/faulty.ts";
import type { Provider } from "../../port.ts";
import { createKit, type KitOptions } from "../adapter.ts";
import type { Account } from "./account.ts";
import { createKitDouble, type KitDouble } from "./double.ts";

export const KEY = "kit_a-key-nobody-may-read";

/** A Kit double on real sockets. */
export interface ServedKit extends AsyncDisposable {
  double: KitDouble;
  account: Account;
  front: Faulty;
  /** IDs of two forms: with double opt-in, and without. */
  forms: [double: string, single: string];
  /** The signing secret in the settings, which tests may change. */
  stored: { secret: string };
  /** Returns an adapter for the double. */
  provider(options?: Partial<Pick<KitOptions, "baseUrl" | "apiKey" | "fetch" | "timeoutMs">>): Provider;
}

export async function serveKit(): Promise<ServedKit> {
  const double = createKitDouble(KEY);
  const { account } = double;
  const addForm = (name: string, doubleOptIn: boolean) => {
    const id = account.newId();
    account.forms.set(id, { name, doubleOptIn });
    return String(id);
  };
  const forms: [string, string] = [addForm("Newsletter", true), addForm("Buyers", false)];
  const front = await startFaulty(double.handle);
  const stored = { secret: "" };
  return {
    double,
    account,
    front,
    forms,
    stored,
    provider: (options = {}) =>
      createKit({
        baseUrl: `${front.url}/v4`,
        apiKey: () => KEY,
        webhookSecret: () => stored.secret,
        fetch: transport,
        ...options,
      }),
    [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
  };
}

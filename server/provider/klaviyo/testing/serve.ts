import { transport } from "../../../http/outbound/transport.ts";
import { type Faulty, startFaulty } from "../../../testing/faulty/faulty.ts";
import type { Provider } from "../../port.ts";
import { recordingExchanges } from "../../testing/record_exchanges.ts";
import { createKlaviyo, type KlaviyoOptions } from "../adapter.ts";
import type { Account } from "./account.ts";
import { createKlaviyoDouble, type KlaviyoDouble } from "./double.ts";

export const KEY = "pk_klaviyo-key-nobody-may-read";
const WEBHOOK_SECRET = "a-system-webhook-secret";

/** A Klaviyo double on real sockets. */
export interface ServedKlaviyo extends AsyncDisposable {
  double: KlaviyoDouble;
  account: Account;
  front: Faulty;
  /** IDs of a list with double opt-in, and of one without. */
  lists: { double: string; single: string };
  /** Returns an adapter for the double. */
  provider(options?: Partial<KlaviyoOptions>): Provider;
}

export async function serveKlaviyo(): Promise<ServedKlaviyo> {
  const double = createKlaviyoDouble(KEY);
  const { account } = double;
  const lists = {
    double: account.addList("Newsletter", "double_opt_in"),
    single: account.addList("Buyers", "single_opt_in"),
  };
  const front = await startFaulty(recordingExchanges("klaviyo", double.handle));
  return {
    double,
    account,
    front,
    lists,
    provider: (options = {}) =>
      createKlaviyo({
        baseUrl: front.url,
        apiKey: () => KEY,
        webhookSecret: () => WEBHOOK_SECRET,
        fetch: transport,
        ...options,
      }),
    [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
  };
}

import { transport } from "../../../http/outbound/transport.ts";
import { type Faulty, startFaulty } from "../../../testing/faulty/faulty.ts";
import { recordingExchanges } from "../../testing/record_exchanges.ts";
import type { Provider } from "../../port.ts";
import { createMailerlite, type MailerliteOptions } from "../adapter.ts";
import type { Account } from "./account.ts";
import { createMailerliteDouble, type MailerliteDouble } from "./double.ts";

export const TOKEN = "mailerlite-token-nobody-may-read";

/** A MailerLite double on real sockets. */
export interface ServedMailerlite extends AsyncDisposable {
  double: MailerliteDouble;
  account: Account;
  front: Faulty;
  /** IDs of two groups of the account. */
  groups: [string, string];
  /** The signing secret in the settings, which tests may change. */
  stored: { secret: string };
  /** Returns an adapter for the double. */
  provider(
    options?: Partial<Pick<MailerliteOptions, "baseUrl" | "apiKey" | "fetch" | "timeoutMs">>,
  ): Provider;
}

export async function serveMailerlite(): Promise<ServedMailerlite> {
  const double = createMailerliteDouble(TOKEN);
  const { account } = double;
  const groups: [string, string] = [account.newId(), account.newId()];
  account.groups.set(groups[0], "Newsletter").set(groups[1], "Buyers");
  const front = await startFaulty(recordingExchanges("mailerlite", double.handle));
  const stored = { secret: "" };
  return {
    double,
    account,
    front,
    groups,
    stored,
    provider: (options = {}) =>
      createMailerlite({
        baseUrl: `${front.url}/api`,
        apiKey: () => TOKEN,
        webhookSecret: () => stored.secret,
        fetch: transport,
        ...options,
      }),
    [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
  };
}

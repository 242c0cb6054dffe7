import { transport } from "../../../http/outbound/transport.ts";
import { type Faulty, startFaulty } from "../../../testing/faulty/faulty.ts";
import type { Provider } from "../../port.ts";
import { recordingExchanges } from "../../testing/record_exchanges.ts";
import { createMailchimp, type MailchimpOptions } from "../adapter.ts";
import type { Account } from "./account.ts";
import { createMailchimpDouble, type MailchimpDouble } from "./double.ts";

export const KEY = "0123456789abcdef0123456789abcdef-us6";

/** A Mailchimp double on real sockets. */
export interface ServedMailchimp extends AsyncDisposable {
  double: MailchimpDouble;
  account: Account;
  front: Faulty;
  /** URL of the API. */
  url: string;
  /** IDs of two audiences of the account. */
  audiences: [string, string];
  /** The signing secrets in the settings, which tests may change. */
  stored: { secrets: string };
  /** Returns an adapter for the double. */
  provider(options?: Partial<MailchimpOptions>): Provider;
}

export async function serveMailchimp(): Promise<ServedMailchimp> {
  const double = createMailchimpDouble(KEY);
  const { account } = double;
  const audiences: [string, string] = [account.newId(), account.newId()];
  audiences.forEach((id, index) =>
    account.audiences.set(id, {
      id,
      name: `Audience ${index}`,
      members: new Map(),
      forgotten: new Set(),
      hooks: [],
    })
  );
  const front = await startFaulty(recordingExchanges("mailchimp", double.handle));
  const stored = { secrets: "" };
  const url = `${front.url}/3.0`;
  return {
    double,
    account,
    front,
    url,
    audiences,
    stored,
    provider: (options = {}) =>
      createMailchimp({
        baseUrl: url,
        apiKey: () => KEY,
        signingSecrets: () => stored.secrets,
        fetch: transport,
        ...options,
      }),
    [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
  };
}

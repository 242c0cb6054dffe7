import { transport } from "../../../http/outbound/transport.ts";
import { type Faulty, startFaulty } from "../../../testing/faulty/faulty.ts";
import type { Provider } from "../../port.ts";
import { recordingExchanges } from "../../testing/record_exchanges.ts";
import { type BrevoOptions, createBrevo } from "../adapter.ts";
import { OPT_IN_TEMPLATE } from "./account.ts";
import { type BrevoDouble, createBrevoDouble } from "./double.ts";

/** The double on a real port. */
export interface ServedBrevo extends AsyncDisposable {
  double: BrevoDouble;
  front: Faulty;
  /** ID of a list. */
  list: string;
  /** Returns an adapter for it. */
  provider(options?: Partial<BrevoOptions>): Provider;
}

export async function serveBrevo(options: { pageMax?: number } = {}): Promise<ServedBrevo> {
  const double = createBrevoDouble(options);
  const front = await startFaulty(recordingExchanges("brevo", double.handle));
  return {
    double,
    front,
    list: double.account.addList("News"),
    provider: (options = {}) => createBrevo({ ...adapterOptions(front.url), ...options }),
    [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
  };

  function adapterOptions(url: string): BrevoOptions {
    return {
      baseUrl: `${url}/v3`,
      apiKey: () => double.apiKey,
      template: () => String(OPT_IN_TEMPLATE),
      thanksUrl: () => "https://example.com/welcome",
      fetch: transport,
      now: Date.now,
    };
  }
}

import type { Clock, Fetch } from "../../platform/deps.ts";
import { transport } from "../../platform/http/outbound/transport.ts";
import { type Faulty, startFaulty } from "../../../dev/testing/faulty/faulty.ts";
import type { Provider } from "../port/port.ts";
import { recordingExchanges } from "./record_exchanges.ts";

/** A provider's API for tests, without sockets. */
export interface ProviderDouble {
  handle(request: Request): Response | Promise<Response>;
  /** While set, every request gets a 429 with this `Retry-After`, in seconds. */
  limit(retryAfterSeconds: number | undefined): void;
}

/** A double on real sockets, with an adapter for it. */
export interface ServedDouble<Options> extends AsyncDisposable {
  /** The server in front of the double. It can simulate faults. */
  front: Faulty;
  /** URL of the API. */
  url: string;
  /** Path in `url`, such as `/v4`; empty if there is none. */
  path: string;
  apiKey: string;
  /** ID of a list with double opt-in. */
  list: string;
  /** ID of a template for transactional and triggered emails, if the provider sends such. */
  template?: string;
  /** Other general settings that the adapter needs. */
  settings?: Readonly<Record<string, string>>;
  /** Addresses to which the double sent an email, in order. */
  mails: readonly string[];
  /** Responds without sockets and faults. */
  handle: ProviderDouble["handle"];
  limit: ProviderDouble["limit"];
  /** Returns an adapter for the double. */
  provider(options?: Partial<Options>): Provider;
}

interface AdapterOptions {
  baseUrl: string;
  apiKey: () => string;
  fetch: Fetch;
}

interface DoubleToServe<Options>
  extends Pick<ServedDouble<Options>, "path" | "apiKey" | "list" | "template" | "settings" | "mails"> {
  /** As in `providers.ts`. */
  kind: string;
  double: ProviderDouble;
  create(options: AdapterOptions & Options): Provider;
}

/** Serves a double on a free port. Its exchanges are recorded for `deno task test:vendor-specs`. */
export async function serveDouble<
  Options = Partial<AdapterOptions> & { timeoutMs?: number; timer?: Pick<Clock, "sleep"> },
>(
  { kind, double, create, ...facts }: DoubleToServe<Options>,
): Promise<ServedDouble<Options>> {
  const front = await startFaulty(recordingExchanges(kind, double.handle));
  const url = front.url + facts.path;
  const base = { baseUrl: url, apiKey: () => facts.apiKey, fetch: transport };
  return {
    ...facts,
    front,
    url,
    handle: double.handle,
    limit: double.limit,
    provider: (options) => create({ ...base, ...options } as AdapterOptions & Options),
    [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
  };
}

/** Returns a `fetch` that does something after the first response has arrived. */
export function afterFirst(run: () => void): Fetch {
  let isFirst = true;
  return async (input, init) => {
    const response = await transport(input, init);
    if (isFirst) run();
    isFirst = false;
    return response;
  };
}

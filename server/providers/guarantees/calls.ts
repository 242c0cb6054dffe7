import type { ProviderHarness } from "../conformance.ts";
import type { Provider } from "../port/port.ts";
import { callNames, PORT_CALLS, type PortCall } from "../testing/port_calls.ts";

/** Makes every call that the provider is capable of, about one address. */
export async function callAll(
  provider: Provider,
  h: ProviderHarness,
  email: string,
): Promise<[name: string, { kind: string }][]> {
  const given = { target: { list: h.doubleOptIn, email }, template: "1", secretKey: h.apiKey };
  const results: [string, { kind: string }][] = [];
  for (const name of callNames(provider, true)) {
    const call: PortCall = PORT_CALLS[name];
    results.push([name, await call.run(provider, given)]);
  }
  return results;
}

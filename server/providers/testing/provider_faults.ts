import assert from "node:assert/strict";
import type { Clock, Fetch } from "../../platform/deps.ts";
import {
  callUnderFaults,
  type FaultCase,
  type Result,
} from "../../../dev/testing/faulty/call_under_faults.ts";
import type { Seen } from "../../../dev/testing/faulty/wire.ts";
import type { Provider, Target } from "../port/port.ts";
import { type CallArguments, callNames, PORT_CALLS, type PortCall, type PortCallName } from "./port_calls.ts";
import type { ServedDouble } from "./serve_double.ts";

/** What the fault tests need of a served double. */
export type FaultySubject =
  & Pick<ServedDouble<never>, "path" | "apiKey" | "list" | "template" | "handle" | keyof AsyncDisposable>
  & { provider(options?: { baseUrl?: string; timer?: Pick<Clock, "sleep">; fetch?: Fetch }): Provider };

/** One request of one call. */
export interface FaultyCall<Served extends FaultySubject>
  extends Pick<FaultCase, "effect" | "hits" | "hasNoBody"> {
  /** The kind of the call's result without a fault, if it differs from the usual one. */
  expectedKind?: string;
  /** Prepares the account's data, without faults. */
  before?(served: Served, target: Target): unknown;
  /** Makes the call, if it needs other arguments than usual. */
  run?(provider: Provider, given: CallArguments): Promise<Result>;
}

/** Requests of calls, by the name of the call or by `call, what the request does`. */
export type FaultTable<Served extends FaultySubject> = Readonly<Record<string, FaultyCall<Served>>>;

/** How many rows are tested at a time: most of the time they wait, but all at once would wait for each other's work. */
const WORKERS = 6;

/** Returns a function that selects requests by method and by path with query. */
export const isTo = (method: string, path: RegExp) => (request: Seen): boolean =>
  request.method === method && path.test(request.target);

/**
 * Registers the tests of an adapter under every fault of a connection. Call it once for every adapter.
 *
 * @param open serves the provider's double; called for each row of the table
 * @param table every request that a call of the port sends and that can fail on its own
 */
export function providerFaults<Served extends FaultySubject>(
  kind: string,
  open: () => Promise<Served>,
  table: FaultTable<Served>,
): void {
  Deno.test(`${kind}: whatever fault the connection has, each call ends in time, is sent once and reports whether it may have taken effect`, async () => {
    const rows = Object.entries(table);
    const failures: string[] = [];
    const work = async () => {
      for (let row = rows.shift(); row; row = rows.shift()) {
        await underFaults(open, row).catch((error) => failures.push(String(error)));
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    assert.deepEqual(failures, []);
  });

  Deno.test(`${kind}: the fault table contains every call of the port that sends a request, and the others send none`, async () => {
    await using served = await open();
    const provider = served.provider();
    const tested = new Set(Object.keys(table).map(callOf));
    const silent = callNames(provider, false);
    // Reading a webhook sends no request.
    const others = new Set<string>([...silent, "readWebhook"]);
    const names = Object.entries(provider).flatMap(([name, member]) =>
      typeof member === "function" ? [name] : []
    );
    assert.deepEqual(names.filter((name) => !tested.has(name) && !others.has(name)), []);
    let requests = 0;
    const counting = served.provider({
      fetch: () => {
        requests++;
        return Promise.reject(new Error("not sent"));
      },
    });
    for (const name of silent) {
      const call: PortCall = PORT_CALLS[name];
      const { kind } = await call.run(counting, argumentsOf(served, "ada@example.com"));
      assert.equal(kind, WITHOUT_CAPABILITY[name] ?? "refused", name);
    }
    assert.equal(requests, 0);
  });
}

/** The kind of the result of a call that the provider is not capable of, if it is not "refused". */
const WITHOUT_CAPABILITY: Readonly<Partial<Record<PortCallName, string>>> = {
  contact: "absent",
  erase: "absent",
  template: "trouble",
  changed: "trouble",
  unconfirmed: "trouble",
  getWebhook: "trouble",
};

const callOf = (name: string) => name.split(",")[0]!;

function argumentsOf({ list, template = "1", apiKey }: FaultySubject, email: string): CallArguments {
  return { target: { list, email }, template, secretKey: apiKey };
}

async function underFaults<Served extends FaultySubject>(
  open: () => Promise<Served>,
  [name, { before, run, ...facts }]: [string, FaultyCall<Served>],
): Promise<void> {
  const usual: PortCall | undefined = PORT_CALLS[callOf(name) as PortCallName];
  await using served = await open();
  const given = (fault: string) =>
    argumentsOf(served, `${fault.replaceAll(" ", "-")}@example.com`.toLowerCase());
  const row: FaultCase = {
    name,
    expectedKind: usual?.expectedKind ?? "",
    ...facts,
    call({ url, timer, signal }, fault) {
      const provider = served.provider({ baseUrl: url + served.path, timer });
      const call = { ...given(fault), signal };
      return (run ?? usual!.run)(provider, call);
    },
  };
  await callUnderFaults(row, served.handle, async (fault) => {
    await before?.(served, given(fault).target);
  });
}

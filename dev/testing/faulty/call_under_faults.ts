import assert from "node:assert/strict";
import { type Clock, systemClock } from "../../../server/platform/deps.ts";
import { countedSignal } from "./counted_signal.ts";
import { type Fault, FAULT_NAMES, FAULTS } from "./faults.ts";
import { type Faulty, startFaulty } from "./faulty.ts";
import type { Seen } from "./wire.ts";

/** How long a fault lasts that only a timeout ends: usually, the first bytes of the response arrive meanwhile. */
const FAULT_MS = 50;
/** Tolerance for the duration of a call on a busy machine. */
const SLACK_MS = 5_000;

/** The common parts of an adapter's results. */
export interface Result {
  kind: string;
  code?: string;
  unknown?: boolean;
}

/** One call of an adapter that is tested under every fault. */
export interface FaultCase {
  name: string;
  /** Whether the affected request changes data in the remote system. */
  effect: "reads" | "writes";
  /** The result's kind without a fault. */
  expectedKind: string;
  /** Selects the affected request, if the call makes several. */
  hits?: (request: Seen) => boolean;
  /** Whether the affected request's response has no body, such as a 204. It then can't have the faults of a body. */
  hasNoBody?: true;
  /** Makes the call. `url` is that of the remote system, without a path. */
  call(to: { url: string; timer: Pick<Clock, "sleep">; signal: AbortSignal }, fault: Fault): Promise<Result>;
}

/**
 * Makes one call under every fault and checks that it never throws, ends in time, reports correctly why it failed and
 * whether it may have taken effect, sends each request that changes data once, and leaves no socket or listener open.
 *
 * @param prepare creates in the remote system what the call needs, before any fault
 */
export async function callUnderFaults(
  row: FaultCase,
  remote: (request: Request) => Response | Promise<Response>,
  prepare: (fault: Fault) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (const fault of FAULT_NAMES) {
    if (row.hasNoBody && FAULTS[fault].inBody) continue;
    await prepare(fault);
    await using front = await startFaulty(remote);
    await checkFault(row, fault, front);
  }
}

async function checkFault(row: FaultCase, fault: Fault, front: Faulty): Promise<void> {
  const { leaves, code, endless } = FAULTS[fault];
  const where = `${row.name}, the remote system ${fault}`;
  const counted = countedSignal();
  const hits = row.hits ?? (() => true);
  await front.keepOpen();
  const failed = front.fail(fault, hits);
  const timer: Pick<Clock, "sleep"> = {
    sleep: (ms, ended) =>
      endless ? failed.then(() => systemClock.sleep(FAULT_MS, ended)) : systemClock.sleep(ms, ended),
  };

  const began = performance.now();
  const result = await row.call({ url: front.url, timer, signal: counted.signal }, fault);
  const took = performance.now() - began;

  if (leaves === "answered") {
    assert.equal(result.kind, row.expectedKind, `${where}: ${JSON.stringify(result)}`);
  } else {
    const unknown = leaves === "unclear" && row.effect === "writes";
    assert.deepEqual(
      [result.kind, result.code, result.unknown],
      ["trouble", code, unknown],
      `${where}: ${JSON.stringify(result)}`,
    );
  }
  assert.ok(took < SLACK_MS, `${where}: took ${Math.round(took)} ms`);
  assert.ok(front.received.some(hits), `${where}: was called`);
  for (const [request, times] of timesSent(front.received)) {
    assert.equal(times, 1, `${where}: got ${request} ${times} times`);
  }
  assert.equal(counted.listeners, 0, `${where}: left a listener`);
  // The connection shared by reads may stay open.
  await front.drained(1).catch((error) => assert.fail(`${where}: ${error.message}`));
}

/** Returns how often each request that changes data was received. */
function timesSent(received: readonly Seen[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { method, target } of received) {
    if (method === "GET") continue;
    const request = `${method} ${target}`;
    times.set(request, (times.get(request) ?? 0) + 1);
  }
  return times;
}

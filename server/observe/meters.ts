import { metrics } from "@opentelemetry/api";
import type { ConfirmedBy, Outcome } from "../../shared/outcomes.ts";
import type { QueueView } from "../jobs/job_admin.ts";
import { JOB_GROUP } from "../jobs/row.ts";
import type { Entry } from "./counters.ts";

/**
 * What an operator asks of the running service, as OpenTelemetry metrics (docs/operate.md lists them). Nothing here
 * knows an address: attributes are words out of fixed lists.
 */
export interface Meters {
  /** A request to `subscribe` was answered, and entered into the books as this. */
  entered(entry: Entry): void;
  /** The first delivery of a signup was decided, so long after it was accepted. */
  delivered(outcome: Outcome, afterMs: number): void;
  /** A confirmation was noticed; `afterMs` since the provider noted it, where the provider says when. */
  confirmed(by: ConfirmedBy, afterMs?: number): void;
  /** Reads the queue whenever metrics are exported. A failing read leaves that export without it. */
  watchQueue(read: () => Promise<QueueView>): void;
}

/** From a moment to the three days after which a delivery is given up, in seconds. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400, 259_200];

/** Without an OpenTelemetry exporter (`OTEL_DENO`) what is recorded here goes nowhere, at no cost worth a switch. */
export function createMeters(): Meters {
  const meter = metrics.getMeter("cfbe");
  const histogram = (name: string, description: string) =>
    meter.createHistogram(name, {
      description,
      unit: "s",
      advice: { explicitBucketBoundaries: SECONDS },
    });
  const signups = meter.createCounter("cfbe.signups", {
    description: "Requests to subscribe, by what became of them.",
  });
  const deliveries = histogram("cfbe.delivery.duration", "From accepting a signup to the provider's answer.");
  const confirmations = meter.createCounter("cfbe.confirmations", {
    description: "Confirmations, by what made us look.",
  });
  const noticed = histogram("cfbe.confirmation.delay", "From the provider's change to our noticing it.");
  const jobs = meter.createObservableGauge("cfbe.jobs", {
    description: "Jobs, by state.",
  });
  const late = meter.createObservableGauge("cfbe.jobs.late", {
    description: "For how long the oldest due job has been waiting.",
    unit: "s",
  });

  return {
    entered(entry) {
      const [outcome, reason] = entry.split(".") as [string, string?];
      signups.add(1, { outcome, ...(reason !== undefined && { reason }) });
    },
    delivered(outcome, afterMs) {
      deliveries.record(Math.max(0, afterMs) / 1000, { outcome });
    },
    confirmed(by, afterMs) {
      confirmations.add(1, { by });
      if (afterMs !== undefined) noticed.record(Math.max(0, afterMs) / 1000, { by });
    },
    watchQueue(read) {
      meter.addBatchObservableCallback(async (result) => {
        const view = await read().catch(() => undefined);
        if (!view) return;
        for (const state of ["waiting", "running", "dead", "parked"] as const) {
          result.observe(jobs, view[state], { group: JOB_GROUP, state });
        }
        result.observe(late, view.lateMs / 1000, { group: JOB_GROUP });
      }, [jobs, late]);
    },
  };
}

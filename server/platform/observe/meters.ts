import { metrics } from "@opentelemetry/api";
import type { ConfirmedBy, Outcome } from "../../../shared/outcomes.ts";
import type { QueueCounts } from "../jobs/job_admin.ts";
import { JOB_GROUP, JOB_STATES } from "../jobs/row.ts";
import type { CounterEntry } from "./counters.ts";

/**
 * OpenTelemetry metrics of the running service, listed in docs/operate.md. They contain no email address:
 * attributes have fixed sets of values.
 */
export interface Meters {
  /** Records a request to `subscribe` with its result. */
  counted(entry: CounterEntry): void;
  /** Records the outcome of a signup's first delivery attempt, `afterMs` after the signup was accepted. */
  delivered(outcome: Outcome, afterMs: number): void;
  /** Records that a confirmation was noticed, `afterMs` after it happened, if the provider reports that time. */
  confirmed(by: ConfirmedBy, afterMs?: number): void;
  /** Reads the queue at each export of metrics. If the read fails, that export has no queue metrics. */
  watchQueue(read: () => Promise<QueueCounts>): void;
}

/** Histogram buckets in seconds, up to the three days after which a delivery fails. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400, 259_200];

/**
 * Creates the meters. Without an OpenTelemetry exporter (`OTEL_DENO`), recording has no effect and costs
 * almost nothing.
 */
export function createMeters(): Meters {
  const meter = metrics.getMeter("cfbe");
  const histogram = (name: string, description: string) =>
    meter.createHistogram(name, {
      description,
      unit: "s",
      advice: { explicitBucketBoundaries: SECONDS },
    });
  const signups = meter.createCounter("cfbe.signups", {
    description: "Requests to subscribe, by result.",
  });
  const deliveries = histogram(
    "cfbe.delivery.duration",
    "Time from accepting a signup to the provider's response.",
  );
  const confirmations = meter.createCounter("cfbe.confirmations", {
    description: "Confirmations, by how they were found.",
  });
  const noticed = histogram(
    "cfbe.confirmation.delay",
    "Time from a confirmation at the provider until cfbe notices it.",
  );
  const jobs = meter.createObservableGauge("cfbe.jobs", {
    description: "Jobs, by state.",
  });
  const late = meter.createObservableGauge("cfbe.jobs.late", {
    description: "How long the oldest due job has been waiting.",
    unit: "s",
  });

  return {
    counted(entry) {
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
        const counts = await read().catch(() => undefined);
        if (!counts) return;
        for (const state of JOB_STATES) {
          result.observe(jobs, counts[state], { group: JOB_GROUP, state });
        }
        result.observe(late, counts.lateMs / 1000, { group: JOB_GROUP });
      }, [jobs, late]);
    },
  };
}

import type { ComponentChildren, VNode } from "preact";
import type { Kv } from "../../platform/kv/port.ts";
import { checkJob } from "../../signup/confirm/check_job.ts";
import { jobKey, type JobRow } from "../../platform/jobs/row.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { Moment } from "../parts/site_time.tsx";

/** How long the page waits for a check's result after the click. A check that needs longer is retried in the background. */
const FOLLOW_MS = 60_000;

/** The latest manual check of a signup. */
export interface ManualCheck {
  /** Unix milliseconds. */
  at: number;
  state: "running" | "delayed" | "ended";
}

/** Returns the latest manual check, or undefined if nobody has checked the signup by hand. */
export async function manualCheckOf(
  kv: Kv,
  record: SignupRecord,
  now: number,
): Promise<ManualCheck | undefined> {
  const at = record.history?.findLast((event) => event.kind === "admin" && event.act === "check")?.at;
  if (at === undefined) return undefined;
  const job = await readRow(kv, jobKey(checkJob(record, "admin").id));
  return { at, state: stateOf(job, now - at) };
}

function stateOf(job: JobRow | null, ageMs: number): ManualCheck["state"] {
  if (!job) return "ended";
  return job.state !== "dead" && ageMs < FOLLOW_MS ? "running" : "delayed";
}

/** A part of the page that scripts replace once the check has ended. */
export function FollowsCheck(
  { id, check, record, announces, children }: {
    id: string;
    check: ManualCheck | undefined;
    record: SignupRecord;
    /** Whether the part announces the result. */
    announces?: boolean;
    children: ComponentChildren;
  },
): VNode {
  const { status, listStatus = "not checked yet", updatedAt } = record;
  return (
    <div
      id={id}
      data-live={`${check?.at} ${check?.state} ${updatedAt}`}
      data-watch={check?.state === "running" ? "" : undefined}
      data-announce={announces && check?.state === "ended"
        ? `Checked. Status: ${status}. List status: ${listStatus}.`
        : undefined}
    >
      {children}
    </div>
  );
}

/** Says whether the latest manual check has ended. */
export function CheckResult({ check }: { check: ManualCheck | undefined }): VNode | null {
  if (!check) return null;
  switch (check.state) {
    case "running":
      return (
        <p class="help">
          Checking at the provider… <noscript>Reload this page in a moment.</noscript>
        </p>
      );
    case "delayed":
      return (
        <p class="help">
          The check of <Moment at={check.at} /> has no result yet. The Jobs page shows why.
        </p>
      );
    case "ended":
      return (
        <p class="help">
          Checked by hand: <Moment at={check.at} />
        </p>
      );
  }
}

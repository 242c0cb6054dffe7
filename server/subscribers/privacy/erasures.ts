import type { Audit } from "../../platform/audit/audit.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { waitsForRetry } from "../../platform/jobs/bring_forward.ts";
import { jobKey, type JobRow, writeRow } from "../../platform/jobs/row.ts";
import { cas } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Markers } from "../../shops/mail/markers.ts";
import { providerTitle } from "../../settings/store/provider.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { Erasures } from "../../signup/delivery/erasure_before.ts";
import { recordErasureAt } from "./audit_entry.ts";
import { eraseJobId } from "./erase_job.ts";

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
  markers: Markers;
  settings: Pick<SettingsStore, "providers">;
  audit: Audit;
}

/** Finds and changes the erasures that providers have not done yet, by the rows of their jobs. */
export function createErasures(deps: Deps): Erasures {
  const { kv, clock, markers, settings, audit } = deps;
  const keyOf = (provider: string, email: string) => jobKey(eraseJobId(markers.person(email), provider));
  const isOpen = (job: JobRow | null): job is JobRow => job !== null && job.state !== "dead";

  return {
    marker: (email) => markers.erased(markers.person(email)),

    async openAt(provider, email) {
      const job = await readRow(kv, keyOf(provider, email));
      return isOpen(job) ? job : undefined;
    },

    bringForward(provider, email) {
      return cas(kv, { job: keyOf(provider, email) }, ({ job: { value: row } }) => {
        const now = clock.now();
        if (!row || !waitsForRetry(row, now)) return { value: undefined };
        const due = Math.min(row.due, Math.max(now, row.notBefore ?? 0));
        return { value: undefined, write: (tx) => writeRow(tx, row, { ...row, due }) };
      }, deps);
    },

    async giveUp(provider, email) {
      const read = { job: keyOf(provider, email) };
      if (!isOpen(await readRow(kv, read.job))) return true;
      // First, so that a crash leaves no erasure without an entry about where it was not done.
      const title = providerTitle(provider, settings.providers);
      await recordErasureAt(audit, { email, title, result: "failed" });
      return await cas(kv, read, ({ job: { value: row } }) => {
        if (!isOpen(row)) return { value: true };
        if (row.state === "running") return { value: false };
        return { value: true, write: (tx) => writeRow(tx, row, null) };
      }, deps);
    },
  };
}

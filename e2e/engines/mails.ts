import { keys } from "../../server/platform/kv/keys.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import { DELIVER_JOB } from "../../server/signup/delivery/job.ts";
import type { JobRow } from "../../server/platform/jobs/row.ts";
import type { MailRow } from "../../server/sandbox/account/rows.ts";
import { waitUntil } from "../program.ts";

const SETTLED_WITHIN_MS = 300_000;

/** What the processes on a database have sent, read from the database itself. */
export interface Mails extends AsyncDisposable {
  /** Returns to whom each email was sent. */
  read(): Promise<string[]>;
  /** Returns how many jobs are running. */
  running(): Promise<number>;
  /** Resolves when no signup waits for its delivery, so that nothing more is sent. */
  settled(): Promise<void>;
}

export async function mailsIn(database: string): Promise<Mails> {
  const { kv, close } = await openKv(database);
  const jobs = () => Array.fromAsync(kv.list<JobRow>({ prefix: keys.family("job") }), ({ value }) => value);
  const queued = () => Array.fromAsync(kv.list({ prefix: keys.byStatusAll("queued") }));
  return {
    read: () => Array.fromAsync(kv.list<MailRow>({ prefix: keys.sandboxMails() }), ({ value }) => value.to),
    running: async () => (await jobs()).filter(({ state }) => state === "running").length,
    settled: () =>
      waitUntil(
        "no delivery is left",
        SETTLED_WITHIN_MS,
        async () => (await queued()).length === 0 && !(await jobs()).some(({ name }) => name === DELIVER_JOB),
      ),
    [Symbol.asyncDispose]: close,
  };
}

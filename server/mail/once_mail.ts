import type { Clock, Log, Random } from "../deps.ts";
import type { Hooks, MailContext } from "../hooks/hooks.ts";
import type { JobResult, RunningJob } from "../jobs/handler.ts";
import { cas, type Decision } from "../kv/cas.ts";
import { type Entry, type Key, readRow } from "../kv/key.ts";
import type { Provider, TransactionalMail } from "../provider/port.ts";
import { type CartMail, isSending, SEND_WINDOW_MS, SEND_WITHIN_MS } from "./sending.ts";

/** That a mail of a kind was claimed, and what became of it. Kept for ever: it is what makes once once. */
export interface OnceRow extends CartMail {
  v: 1;
}

interface Wish<Row> {
  /** Where the claim is kept. */
  marker: Key<OnceRow>;
  /** What it is about; the log says `order_mail.sent`. */
  kind: MailContext["kind"];
  /** Asked in the commit that claims the mail, with the row under `key`. A reason keeps the mail from being sent. */
  still?: { key: Key<Row>; reason(entry: Entry<Row>): string | undefined };
  mail: TransactionalMail;
}

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  provider: Provider;
  hooks: Hooks;
}

type ClaimedJob = { kind: "claimed"; at: number } | { kind: "not"; reason: string };

/**
 * Sends a transactional mail once for ever, from within a job. The right to send is claimed under `marker` before the
 * provider is called, and outlives a crash: an attempt whose result nobody knows is not repeated (docs/carts.md
 * says why). A provider that is down is found out before anything is claimed.
 */
export function createOnceMail({ kv, clock, random, log, provider, hooks }: Options) {
  /** The row is this claim's, and open. */
  const isOpen = (row: OnceRow | null, at: number) => row?.state === "sending" && row.at === at;

  async function settle(
    marker: Key<OnceRow>,
    at: number,
    state: "sent" | "refused" | "unknown" | "released",
  ) {
    await cas(kv, { marker }, ({ marker: { value: row } }) => ({
      value: undefined,
      write(tx) {
        if (!isOpen(row, at)) return;
        if (state === "released") tx.delete(marker);
        else tx.set(marker, { v: 1, at, state } satisfies OnceRow);
      },
    }), { clock, random });
  }

  function claim<Row>({ fence }: RunningJob<unknown>, { marker, still }: Wish<Row>) {
    return cas(kv, { row: marker, condition: still?.key }, ({ row, condition }): Decision<ClaimedJob> => {
      if (row.value !== null) return { value: { kind: "not", reason: "It was sent." } };
      const reason = condition && still?.reason(condition);
      if (reason !== undefined) return { value: { kind: "not", reason } };
      const at = clock.now();
      return {
        value: { kind: "claimed", at },
        write: (tx) => void tx.set(marker, { v: 1, at, state: "sending" } satisfies OnceRow),
      };
    }, { clock, random, fence });
  }

  return async <Row>(job: RunningJob<unknown>, wish: Wish<Row>): Promise<JobResult> => {
    const { marker, kind, mail } = wish;
    const name = `${kind}_mail`;
    const before = await readRow(kv, marker);
    if (before?.state === "sending") {
      if (isSending(before, clock.now())) {
        return { kind: "snooze", until: before.at + SEND_WINDOW_MS, reason: "A mail may be on its way." };
      }
      await settle(marker, before.at, "unknown");
      log.warn(`${name}.unknown`, { reason: "the attempt never reported back" });
      return { kind: "done" };
    }
    if (before) return { kind: "cancel", reason: "It was sent." };

    const up = await provider.contact(mail.email, job.signal);
    if (up.kind === "trouble") return { ...up, kind: "retry", unknown: false };
    // In front of the claim, for between claim and call nothing may wait.
    const { email, template } = mail;
    const data = await hooks.filter("cfbe_mail_data", mail.data, { kind, email, template });
    const claimed = await claim(job, wish);
    if (claimed.kind === "not") return { kind: "cancel", reason: `No mail: ${claimed.reason}` };
    if (job.signal.aborted || clock.now() - claimed.at > SEND_WITHIN_MS) {
      await settle(marker, claimed.at, "released");
      return { kind: "retry", reason: "It came to sending too late." };
    }
    const sent = await provider.sendTransactional({ ...mail, data }, job.signal);
    if (sent.kind === "trouble" && !sent.unknown) {
      await settle(marker, claimed.at, "released");
      return { kind: "retry", reason: sent.reason, retryAfterMs: sent.retryAfterMs };
    }
    const state = sent.kind === "trouble" ? "unknown" : sent.kind;
    await settle(marker, claimed.at, state);
    if (sent.kind === "sent") log.info(`${name}.sent`);
    else log.warn(`${name}.${state}`, { reason: sent.reason });
    return { kind: "done" };
  };
}

export type OnceMail = ReturnType<typeof createOnceMail>;

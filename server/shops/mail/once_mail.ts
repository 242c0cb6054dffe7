import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Hooks, MailContext } from "../../settings/hooks/hooks.ts";
import type { JobResult, RunningJob } from "../../platform/jobs/handler.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import { type Entry, type Key, readRow } from "../../platform/kv/key.ts";
import type { TransactionalMail } from "../../providers/port/mail.ts";
import type { Provider } from "../../providers/port/port.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { afterErasure, type OpenErasures } from "./after_erasure.ts";
import { isSending, type MailAttempt, SEND_WINDOW_MS, SEND_WITHIN_MS } from "./sending.ts";
import { retryRead } from "../../providers/port/trouble.ts";

/** The right to send one email, and the result of the attempt. Kept permanently: it guarantees at most one email. */
export interface OnceRow extends MailAttempt {
  v: 1;
}

interface OnceMailRequest<Row> {
  /** Key of the claim. */
  marker: Key<OnceRow>;
  /** Kind of email; `order` logs `order_mail.sent`. */
  kind: MailContext["kind"];
  /** Checked in the commit that claims the email, with the row under `key`. A reason prevents the email. */
  condition?: { key: Key<Row>; reason(entry: Entry<Row>): string | undefined };
  mail: TransactionalMail;
}

interface Options {
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  provider: Provider;
  settings: Pick<SettingsStore, "current">;
  erasures: OpenErasures;
  hooks: Hooks;
}

type ClaimResult = { kind: "claimed"; at: number } | { kind: "denied"; reason: string };

/**
 * Returns a function that sends a transactional email at most once, from within a job. It claims the right to send
 * under `marker` before it calls the provider. The claim outlives a crash: an attempt with an unknown result is not
 * repeated (docs/carts.md says why). If the provider is down, the job retries before anything is claimed.
 */
export function createOnceMail(options: Options) {
  const { kv, clock, random, log, provider, settings, hooks } = options;

  /** Returns whether the row is the claim made at `at`, and has no result yet. */
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

  function claim<Row>({ fence }: RunningJob<unknown>, { marker, condition }: OnceMailRequest<Row>) {
    return cas(kv, { row: marker, other: condition?.key }, ({ row, other }): Decision<ClaimResult> => {
      if (row.value !== null) return { value: { kind: "denied", reason: "It was already sent." } };
      const reason = other && condition?.reason(other);
      if (reason !== undefined) return { value: { kind: "denied", reason } };
      const at = clock.now();
      return {
        value: { kind: "claimed", at },
        write: (tx) => void tx.set(marker, { v: 1, at, state: "sending" } satisfies OnceRow),
      };
    }, { clock, random, fence });
  }

  return async <Row>(job: RunningJob<unknown>, request: OnceMailRequest<Row>): Promise<JobResult> => {
    const { marker, kind, mail } = request;
    const name = `${kind}_mail`;
    const before = await readRow(kv, marker);
    if (before?.state === "sending") {
      if (isSending(before, clock.now())) {
        return {
          kind: "snooze",
          until: before.at + SEND_WINDOW_MS,
          reason: "An earlier attempt may be sending it.",
        };
      }
      await settle(marker, before.at, "unknown");
      log.warn(`${name}.unknown`, { reason: "the attempt ended without a result" });
      return { kind: "done" };
    }
    if (before) return { kind: "cancel", reason: "It was already sent." };

    const wait = await afterErasure(options, settings.current().general.provider, mail.email);
    if (wait) return wait;
    const contact = await provider.contact(mail.email, job.signal);
    if (contact.kind === "trouble") return retryRead(contact);
    // Before the claim, because nothing may wait between the claim and the provider call.
    const { email, template } = mail;
    const data = await hooks.filter("cfbe_mail_data", mail.data, { kind, email, template });
    const claimed = await claim(job, request);
    if (claimed.kind === "denied") return { kind: "cancel", reason: `No email: ${claimed.reason}` };
    if (job.signal.aborted || clock.now() - claimed.at > SEND_WITHIN_MS) {
      await settle(marker, claimed.at, "released");
      return { kind: "retry", reason: "Too much time passed before sending." };
    }
    const sent = await provider.sendTransactional({ ...mail, data }, job.signal);
    if (sent.kind === "trouble" && !sent.unknown) {
      await settle(marker, claimed.at, "released");
      return { ...sent, kind: "retry" };
    }
    const state = sent.kind === "trouble" ? "unknown" : sent.kind;
    await settle(marker, claimed.at, state);
    if (sent.kind === "sent") log.info(`${name}.sent`);
    else log.warn(`${name}.${state}`, { reason: sent.reason });
    return { kind: "done" };
  };
}

export type OnceMail = ReturnType<typeof createOnceMail>;

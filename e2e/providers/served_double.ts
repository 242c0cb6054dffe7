/** A provider whose double runs in this process, on a real socket. */
import { systemClock } from "../../server/platform/deps.ts";
import { type ProviderKind, PROVIDERS } from "../../server/providers/providers.ts";
import type { Fault } from "../../dev/testing/faulty/faults.ts";
import type { PlayedDouble } from "./doubles.ts";
import type { ClickResult, ProviderFault, RemoteProvider, UsedBy } from "./remote_provider.ts";

const FAULTS: Readonly<Record<Exclude<ProviderFault, "none">, Fault>> = {
  "unavailable": "resets before storing",
  "hang-after": "hangs after storing",
  "error-after": "resets after storing",
};
/** Whether a fault loses the response of a request that took effect. It applies to requests that change something. */
const losesResponse = (fault: ProviderFault) => fault.endsWith("-after");
/** Pauses before each attempt to send a webhook. A server that is down longer misses it. */
const WEBHOOK_PAUSES_MS = [0, 200, 1_000];
const MAILS_SHOWN = 100;

/** Returns the provider of this kind, which its double plays. */
export function servedDouble(
  kind: ProviderKind,
  { served, settings, confirm, subscribers, confirmed }: PlayedDouble,
  { namespace }: Pick<UsedBy, "namespace">,
): RemoteProvider {
  const { front, list, url, apiKey, mails } = served;
  let copies = 1;
  const over = new AbortController();
  const sending = new Set<Promise<void>>();

  async function sendWebhook(email: string): Promise<void> {
    if (!confirmed) return;
    for (const pause of WEBHOOK_PAUSES_MS) {
      await systemClock.sleep(pause, over.signal);
      if (over.signal.aborted) return;
      // Signed anew for each attempt, because signatures expire.
      const call = confirmed(email);
      const response = await fetch(`${namespace}/provider-hook`, { method: "POST", ...call }).catch(() =>
        undefined
      );
      await response?.body?.cancel();
      if (response?.ok) return;
    }
  }

  function sendInBackground(email: string): void {
    const sent = sendWebhook(email).finally(() => sending.delete(sent));
    sending.add(sent);
  }

  function click(email: string): Promise<ClickResult> {
    confirm(email);
    for (let copy = 0; copy < copies; copy++) sendInBackground(email);
    return Promise.resolve("confirmed");
  }

  return {
    capabilities: PROVIDERS[kind].capabilities,
    isInServer: false,
    sendsWebhooks: confirmed !== undefined,
    env: { CFBE_PROVIDER: kind, CFBE_PROVIDER_URL: url, CFBE_PROVIDER_API_KEY: apiKey },
    settings: { ...settings, general: { ...served.settings, ...settings?.general } },
    list,
    behave({ fault, webhooks }) {
      if (webhooks !== undefined) copies = webhooks === "twice" ? 2 : 1;
      if (fault === "none") front.recover();
      else if (fault !== undefined) {
        front.fail(FAULTS[fault], ({ method }) => method !== "GET" || !losesResponse(fault));
      }
      return Promise.resolve();
    },
    mails() {
      const sent = mails.map((to, index) => ({ id: String(index), to, click: () => click(to) }));
      return Promise.resolve(sent.slice(-MAILS_SHOWN));
    },
    mailCounts() {
      const counts = new Map<string, number>();
      for (const to of mails) counts.set(to, (counts.get(to) ?? 0) + 1);
      return Promise.resolve(counts);
    },
    subscribers: () =>
      Promise.resolve(new Map([...subscribers()].map(([email, status]) => [email, [status]]))),
    repeatWebhook: sendWebhook,
    async [Symbol.asyncDispose]() {
      over.abort();
      await Promise.all(sending);
      await served[Symbol.asyncDispose]();
    },
  };
}

import { z } from "zod";
import { isOwnError } from "../../http/json_response.ts";
import type { Provider } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import { comparedEvents, type Webhook, type WebhookOptions } from "../../port/webhook.ts";
import { audiencesOf } from "./audiences.ts";
import { type MailchimpResponse, type MailchimpSend, trouble } from "./http.ts";
import { splitToken, webhookToken, withToken } from "./webhook_token.ts";

export const NEEDED_EVENTS = ["subscribe", "unsubscribe", "cleaned", "upemail"];
const EVENTS = {
  subscribe: true,
  unsubscribe: true,
  profile: false,
  cleaned: true,
  upemail: true,
  campaign: false,
};
/** Who caused the event: the person, somebody in Mailchimp, or another system. */
const SOURCES = { user: true, admin: true, api: true };
/** More than enough for the audiences of an account, and below the maximum of the setting. */
const SECRETS_MAX = 50;

const flags = z.record(z.string(), z.unknown()).transform((all) =>
  Object.keys(all).filter((name) => all[name] === true)
);
const registration = z.object({
  id: z.string().regex(/^\w{1,50}$/),
  url: z.string(),
  events: flags,
  sources: flags,
  signing_secret: z.string().regex(/^[\x21-\x7e]{1,200}$/).optional().catch(undefined),
});
type Registration = z.infer<typeof registration>;
const listing = z.object({ webhooks: z.array(z.unknown()) });

/** The webhook of a cfbe in one audience; null if the audience has none. */
interface Row {
  audience: string;
  hook: (Registration & { token: string }) | null;
}

/** Returns the webhook of a cfbe: its URL contains a secret. `url` is without it. */
function hookIn(raw: unknown): Row["hook"] {
  const found = registration.safeParse(raw).data;
  const split = found && splitToken(found.url);
  return found && split ? { ...found, ...split } : null;
}

export interface WebhookKeysOptions {
  apiKey: () => string;
  /** The signing secrets in the settings, separated by spaces. */
  signingSecrets: () => string;
}

/**
 * Returns the calls for the webhook. Each audience has webhooks of its own, so the calls are for all audiences. Webhooks of
 * other systems are neither reported nor changed. Source: mailchimp.com/developer/marketing/api/list-webhooks.
 */
export function webhookCalls(
  send: MailchimpSend,
  { apiKey, signingSecrets }: WebhookKeysOptions,
): Pick<Provider, "getWebhook" | "setWebhook"> {
  async function find(): Promise<{ kind: "found"; rows: Row[] } | Trouble> {
    const found = await audiencesOf(send);
    if (found.kind === "trouble") return found;
    const rows: Row[] = [];
    for (const { id } of found.audiences) {
      const response = await send({ method: "GET", path: `/lists/${id}/webhooks` });
      const hooks = response.kind === "ok" ? listing.safeParse(response.body).data : undefined;
      if (!hooks) return trouble(response, "reads");
      const own = hooks.webhooks.map(hookIn).filter((hook) => hook !== null);
      // Another cfbe on the same account has a webhook of its own.
      // Not timing-sensitive: the provider's response is compared with our setting.
      const hook = own.find((hook) => hook.token === webhookToken(apiKey())) ?? own[0] ?? null;
      rows.push({ audience: id, hook });
    }
    return { kind: "found", rows };
  }

  const save = ({ audience, hook }: Row, url: string) => {
    const body = { url, events: EVENTS, sources: SOURCES };
    const path = `/lists/${audience}/webhooks`;
    return hook
      ? send({ method: "PATCH", path: `${path}/${hook.id}`, body })
      : send({ method: "POST", path, body });
  };

  return {
    async getWebhook() {
      const found = await find();
      if (found.kind === "trouble") return found;
      return { kind: "webhook", webhook: webhookOf(found.rows, webhookToken(apiKey())) };
    },

    async setWebhook({ url, replace }: WebhookOptions) {
      const found = await find();
      if (found.kind === "trouble") return found;
      const other = found.rows.find(({ hook }) => hook && hook.url !== url)?.hook;
      if (other && !replace) return { kind: "foreign", url: other.url };
      if (found.rows.length === 0) return { kind: "refused", reason: "The account has no audience." };
      const token = webhookToken(apiKey())!;
      const rows: Row[] = [];
      const created: string[] = [];
      // The last audience first: if this ends half way, `getWebhook` still reports the URL to be replaced, which is in the first.
      for (const row of found.rows.toReversed()) {
        // Not timing-sensitive: the provider's response is compared with our setting.
        if (row.hook?.url === url && row.hook.token === token && isComplete(row.hook)) {
          rows.unshift(row);
          continue;
        }
        const response = await save(row, withToken(url, token));
        if (isInvalid(response)) {
          return {
            kind: "refused",
            reason: "Mailchimp does not accept the webhook's URL, or cannot reach it.",
          };
        }
        const hook = response.kind === "ok" ? hookIn(response.body) : null;
        if (!hook) return trouble(response, "writes");
        rows.unshift({ audience: row.audience, hook });
        if (hook.signing_secret !== undefined) created.push(hook.signing_secret);
      }
      return { kind: "registered", webhook: webhookOf(rows, token)!, ...kept(created) };
    },
  };

  /** Mailchimp returns a signing secret only once, so those of the other audiences stay. */
  function kept(created: readonly string[]) {
    if (created.length === 0) return {};
    const all = [...created, ...secretsIn(signingSecrets())].slice(0, SECRETS_MAX);
    return { keep: { mailchimpSigningSecrets: all.join(" ") } };
  }
}

/** Returns the signing secrets in the setting's value. */
export function secretsIn(setting: string): string[] {
  return setting.split(/\s+/).filter((secret) => secret !== "");
}

function isInvalid(response: MailchimpResponse): boolean {
  return isOwnError(response, 400);
}

/** Returns the events that a webhook sends from every source. */
function eventsOf({ events, sources }: Registration): string[] {
  return Object.keys(SOURCES).every((source) => sources.includes(source)) ? events : [];
}

function isComplete(hook: Registration): boolean {
  const events = eventsOf(hook);
  return events.length === NEEDED_EVENTS.length && NEEDED_EVENTS.every((event) => events.includes(event));
}

/** Returns the webhook with the events that every audience sends to its URL; null if no audience has one. */
function webhookOf(rows: readonly Row[], token: string | undefined): Webhook | null {
  const first = rows.find(({ hook }) => hook)?.hook;
  if (!first) return null;
  const perAudience = rows.map(({ hook }) => hook?.url === first.url ? eventsOf(hook) : []);
  const events = [...new Set(perAudience.flat())].filter((event) =>
    perAudience.every((own) => own.includes(event))
  );
  return {
    url: first.url,
    ...comparedEvents(events, NEEDED_EVENTS),
    // Not timing-sensitive: the provider's response is compared with a value derived from our setting.
    keyFits: rows.every(({ hook }) => hook === null || hook.token === token),
  };
}

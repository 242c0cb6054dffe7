import { Buffer } from "node:buffer";
import { NAMESPACE } from "../../../shared/contract.ts";
import { type Config, isLoopback } from "../../platform/config/config.ts";
import { shownUrl } from "../../platform/http/shown_url.ts";
import type { WebhookCall, WebhookCalls } from "../../platform/observe/webhook_calls.ts";
import { sendsWebhooks } from "../../providers/port/capabilities.ts";
import type { Provider } from "../../providers/port/port.ts";
import type { Webhook } from "../../providers/port/webhook.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { OVERLAP_MS } from "../../signup/confirm/previous_secret.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { isSandbox } from "../../settings/store/provider.ts";
import type { FixedBy } from "../../settings/store/precedence.ts";

const SECRET_BYTES = 32;

interface Deps {
  config: Pick<Config, "baseUrl">;
  clock: Clock;
  provider: Provider;
  settings: SettingsStore;
}

/** Returns the URL to register at the provider. */
export function hookUrl(app: Pick<Deps, "config">): string {
  return `${app.config.baseUrl}${NAMESPACE}/provider-hook`;
}

export type WebhookState =
  | {
    kind: "state";
    /** Our webhook URL. */
    url: string;
    /** The webhook registered at the provider. That of another service has its URL as `shownUrl` returns it. */
    registered: Webhook | null;
    /** `ours`: our URL with the current key; `stale_key`: our URL with another key (contract 7.17). */
    state: "ours" | "stale_key" | "foreign" | "none";
    /** When we last registered it; Unix milliseconds. */
    registeredAt?: number;
  }
  /** Webhooks of this provider have to be registered by hand. */
  | { kind: "unsupported"; url: string }
  /** The provider sends no webhooks. */
  | { kind: "none" }
  | { kind: "trouble"; url: string; reason: string };

/** Returns whether the provider can reach this program: only the sandbox can at a loopback address. */
export function isReachable(
  { config, settings }: { config: Pick<Config, "baseUrl">; settings: Pick<SettingsStore, "current"> },
): boolean {
  return isSandbox(settings.current()) || !isLoopback(config.baseUrl);
}

/** Returns the webhook that is registered at the provider. */
export async function webhookState(app: Omit<Deps, "clock">): Promise<WebhookState> {
  const url = hookUrl(app);
  const { capabilities } = app.provider;
  if (!sendsWebhooks(capabilities)) return { kind: "none" };
  if (!capabilities.webhook) return { kind: "unsupported", url };
  const found = await app.provider.getWebhook();
  if (found.kind === "trouble") return { kind: "trouble", url, reason: found.reason };
  const { webhook } = found;
  const { registeredAt } = app.settings.current().webhooks;
  return {
    kind: "state",
    url,
    registered: webhook && (webhook.url === url ? webhook : { ...webhook, url: shownUrl(webhook.url) }),
    state: stateOf(webhook, url),
    ...(registeredAt > 0 && { registeredAt }),
  };
}

function stateOf(webhook: Webhook | null, url: string): "ours" | "stale_key" | "foreign" | "none" {
  if (!webhook) return "none";
  if (webhook.url !== url) return "foreign";
  return webhook.keyFits === false ? "stale_key" : "ours";
}

/** URLs of other services are as `shownUrl` returns them. */
export type RegisterResult =
  | { kind: "registered"; webhook: Webhook; replaced?: string }
  /** Another URL is registered and was not changed. Pass `replace` to overwrite it. */
  | { kind: "foreign"; url: string }
  /** The provider can't reach a loopback address. */
  | { kind: "loopback"; url: string }
  | { kind: "refused"; reason: string }
  | { kind: "unsupported" }
  | { kind: "none" }
  | { kind: "trouble"; reason: string };

/** Registers our URL at the provider with the current key. Overwrites another URL only with `replace`. */
export async function registerWebhook(
  app: Deps,
  { replace = false }: { replace?: boolean } = {},
): Promise<RegisterResult> {
  const { provider, settings, clock } = app;
  const url = hookUrl(app);
  if (!sendsWebhooks(provider.capabilities)) return { kind: "none" };
  if (!provider.capabilities.webhook) return { kind: "unsupported" };
  if (!isReachable(app)) return { kind: "loopback", url };
  const before = await provider.getWebhook();
  if (before.kind === "trouble") return { kind: "trouble", reason: before.reason };
  const other = before.webhook && before.webhook.url !== url ? before.webhook.url : undefined;
  const set = await provider.setWebhook({
    url,
    secretKey: settings.apiKey(),
    // Overwrite only the URL seen above: one that is registered in between is foreign again.
    replace: replace && other !== undefined,
  });
  if (set.kind === "trouble") return { kind: "trouble", reason: set.reason };
  if (set.kind === "foreign") return { ...set, url: shownUrl(set.url) };
  if (set.kind !== "registered") return set;
  // The secret that the provider signs with from now on. It is not part of the result, which people read.
  if (set.keep) await settings.save("general", set.keep);
  await settings.save("webhooks", { registeredUrl: url, registeredAt: clock.now() });
  return {
    kind: "registered",
    webhook: set.webhook,
    ...(other !== undefined && { replaced: shownUrl(other) }),
  };
}

export type NewSecretResult =
  | { kind: "renewed"; secret: string; previousUntil?: number }
  /** The secret is set by the config file or environment, so saving another would have no effect. */
  | { kind: "fixed"; by: FixedBy };

/**
 * Creates a new secret for automation steps (`X-CFBE-Secret`). The header in the provider's automations has to be
 * changed to match.
 *
 * @param options.keepOld accept the old secret for another 24 hours instead of rejecting it at once
 */
export async function newWebhookSecret(
  app: { clock: Clock; random: Random; settings: SettingsStore },
  { keepOld = false }: { keepOld?: boolean } = {},
): Promise<NewSecretResult> {
  const { settings, random, clock } = app;
  const by = settings.fixedBy("webhooks.secret");
  if (by) return { kind: "fixed", by };
  const { secret: old } = settings.current().webhooks;
  const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString("base64url");
  const overlap = keepOld && old !== "";
  const previousUntil = overlap ? clock.now() + OVERLAP_MS : 0;
  await settings.save("webhooks", { secret, previousSecret: overlap ? old : "", previousUntil });
  return { kind: "renewed", secret, ...(overlap && { previousUntil }) };
}

/** Returns the latest calls to the webhook route and their results, newest first. */
export function recentDeliveries(app: { webhookCalls: WebhookCalls }): Promise<WebhookCall[]> {
  return app.webhookCalls.recent();
}

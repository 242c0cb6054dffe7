import type { Context, MiddlewareHandler } from "hono";
import type { HookResponse } from "../../shared/contract.ts";
import type { Clock } from "../deps.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { WebhookEvent } from "../hooks/types.ts";
import { bearerOf } from "../http/bearer.ts";
import { type ErrorFormat, refuse } from "../http/errors.ts";
import type { HasBody } from "../http/guards/body_limit.ts";
import { withDatabaseTimeout } from "../http/database_timeout.ts";
import { secretsEqual } from "../keys/keyring.ts";
import { type HookCredential, plainType, type WebhookCalls } from "../observe/webhook_calls.ts";
import type { Provider } from "../provider/port.ts";
import type { WebhookReading } from "../provider/webhook.ts";
import type { SettingsStore } from "../settings/store.ts";
import { createEventHandler, type EventHandlerDeps } from "./handle_events.ts";

export interface HookDeps extends EventHandlerDeps {
  hooks: Hooks;
  settings: SettingsStore;
  provider: Provider;
  webhookCalls: WebhookCalls;
}

/** Why an authenticated call was refused. */
type RefusedCall =
  | Exclude<Extract<WebhookReading, { kind: "refused" }>, { reason: "unauthorized" }>
  | { kind: "refused"; reason: "too_large" };

/** Set by `webhookCredential`; undefined for a call that only its signature can authenticate. */
interface HasCredential {
  Variables: { credential: HookCredential | undefined };
}

/** Formats errors for the provider. Unauthorized and too large calls are shown in the admin. */
export function hookErrors(app: HookDeps): ErrorFormat {
  return {
    respond: ({ status }, c) => c.json({ ok: false } satisfies HookResponse, status),
    refused({ code }, c: Context<HasCredential>) {
      if (code === "unauthorized") app.webhookCalls.note({ at: app.clock.now(), result: "unauthorized" });
      if (code === "too_large") noteRefusal(app, { kind: "refused", reason: "too_large" }, c.var.credential);
    },
    failed: "hook.failed",
  };
}

/** Responds with 401 to a call without a credential, unless the provider signs webhooks: that needs the body. */
export function webhookCredential(
  app: { settings: SettingsStore; clock: Clock; provider: Provider },
): MiddlewareHandler<HasCredential> {
  return async (c, next) => {
    const credential = credentialOf(c, app);
    if (!credential && !app.provider.capabilities.signedWebhooks) return refuse(c, "unauthorized");
    c.set("credential", credential);
    return await next();
  };
}

/** Answers a provider that probes the URL before it registers it. It learns only that the URL exists. */
export function webhookProbe({ provider }: { provider: Provider }): MiddlewareHandler {
  return async (c, next) => {
    if (!provider.capabilities.probesWebhook) return await next();
    return c.json({ ok: true, action: "ignored" } satisfies HookResponse);
  };
}

/** Handles `POST provider-hook` (contract 7.9). It only queues checks. The order of steps is decision 21. */
export function hookRoute(app: HookDeps) {
  const { clock, provider, webhookCalls } = app;
  const handleEvents = createEventHandler(app);

  return async (c: Context<HasBody & HasCredential>): Promise<Response> => {
    const { body, credential } = c.var;
    const authenticated = credential !== undefined;
    const query = new URL(c.req.url, "http://any").searchParams;
    const reading = await provider.readWebhook({ headers: c.req.raw.headers, body, query, authenticated });
    if (reading.kind === "refused") {
      if (reading.reason === "unauthorized") return refuse(c, "unauthorized");
      noteRefusal(app, reading, credential);
      return refuse(c, "invalid");
    }
    const { type, payload, events } = reading;
    const action = await withDatabaseTimeout(handleEvents(events), clock);
    const by = credential ?? "signature";
    webhookCalls.note({ at: clock.now(), by, type: plainType(type), result: action });
    fire(app, { payload, action });
    return c.json({ ok: true, action } satisfies HookResponse);
  };
}

/** The names of the reasons in `cfbe_webhook_received` and in the admin. */
const REASONS = { malformed: "not_json", no_email: "no_email", too_large: "too_large" } as const;

function noteRefusal(app: HookDeps, refused: RefusedCall, credential: HookCredential | undefined): void {
  const reason = REASONS[refused.reason];
  // The signature of a body that is too large was not verified.
  const by = credential ?? (reason === "too_large" ? undefined : "signature");
  const [payload, type] = refused.reason === "no_email" ? [refused.payload, plainType(refused.type)] : [{}];
  app.webhookCalls.note({
    at: app.clock.now(),
    ...(by && { by }),
    ...(type !== undefined && { type }),
    result: reason === "no_email" ? "refused" : reason,
  });
  if (by) fire(app, { payload, action: "rejected", reason });
}

/** Fires `cfbe_webhook_received`, without waiting: the site's code must not delay the response. */
function fire({ settings, hooks, clock }: HookDeps, event: Omit<WebhookEvent, "at">): void {
  if (!settings.current().general.modules.webhooks) return;
  void hooks.emit("cfbe_webhook_received", { ...event, at: clock.now() });
}

/**
 * Returns what authenticates the call, or undefined: the API key, the webhook secret, or the previous secret while the
 * admin allows it.
 */
function credentialOf(
  c: Context,
  { settings, clock }: Pick<HookDeps, "settings" | "clock">,
): HookCredential | undefined {
  const { webhooks } = settings.current();
  if (bearersOf(c).some((bearer) => secretsEqual(bearer, settings.apiKey()))) return "key";
  const given = c.req.header("x-cfbe-secret");
  if (secretsEqual(given, webhooks.secret)) return "secret";
  const acceptsPrevious = clock.now() < webhooks.previousUntil;
  return acceptsPrevious && secretsEqual(given, webhooks.previousSecret) ? "previous secret" : undefined;
}

/** Returns the bearer tokens of a call. A proxy may rename the `Authorization` header (contract 7.3). */
function bearersOf({ req }: Context): (string | undefined)[] {
  return ["authorization", "x-forwarded-authorization"].map((name) => bearerOf(req.raw.headers, name));
}

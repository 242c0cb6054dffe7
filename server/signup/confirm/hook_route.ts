import type { Context, MiddlewareHandler } from "hono";
import type { HookResponse } from "../../../shared/contract.ts";
import type { Clock } from "../../platform/deps.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";
import type { WebhookEvent } from "../../settings/hooks/types.ts";
import { bearerOf } from "../../platform/http/bearer.ts";
import { type ErrorFormat, refuse } from "../../platform/http/errors.ts";
import type { HasBody } from "../../platform/http/guards/body_limit.ts";
import { withDatabaseTimeout } from "../../platform/http/database_timeout.ts";
import { secretsEqual } from "../../platform/keys/keyring.ts";
import { type HookCredential, plainType, type WebhookCalls } from "../../platform/observe/webhook_calls.ts";
import type { WebhookReading } from "../../providers/port/webhook.ts";
import { createEventHandler, type EventHandlerDeps } from "./handle_events.ts";
import { acceptsPrevious } from "./previous_secret.ts";
import { readFrom, type WebhookSource, webhookSources, type WebhookSourcesDeps } from "./webhook_sources.ts";

export interface HookDeps extends EventHandlerDeps, WebhookSourcesDeps {
  hooks: Hooks;
  webhookCalls: WebhookCalls;
}

/** Why an authenticated call was refused. */
type RefusedCall =
  | Exclude<Extract<WebhookReading, { kind: "refused" }>, { reason: "unauthorized" }>
  | { kind: "refused"; reason: "too_large" };

/** Set by `webhookCredential`. */
interface HasCredential {
  Variables: {
    /** Undefined for a call that only its signature can authenticate. */
    credential: HookCredential | undefined;
    /** The providers that the call can be from: one, if the call contains an API key. */
    sources: readonly [WebhookSource, ...WebhookSource[]];
  };
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

/** Responds with 401 to a call without a credential, unless a provider signs its webhooks: that needs the body. */
export function webhookCredential(
  app: WebhookSourcesDeps & { clock: Clock },
): MiddlewareHandler<HasCredential> {
  return async (c, next) => {
    const all = webhookSources(app);
    const bearers = bearersOf(c);
    const keyed = all.filter(({ apiKey }) => bearers.some((bearer) => secretsEqual(bearer, apiKey)))[0];
    const credential = keyed ? "key" : secretOf(c, app);
    const isSigned = all.some(({ provider }) => provider.capabilities.signedWebhooks);
    if (!credential && !isSigned) return refuse(c, "unauthorized");
    c.set("credential", credential);
    c.set("sources", keyed ? [keyed] : all);
    return await next();
  };
}

/** Answers a provider that probes the URL before it registers it. It learns only that the URL exists. */
export function webhookProbe(app: WebhookSourcesDeps): MiddlewareHandler {
  return async (c, next) => {
    if (!webhookSources(app).some(({ provider }) => provider.capabilities.probesWebhook)) return await next();
    return c.json({ ok: true, action: "ignored" } satisfies HookResponse);
  };
}

/** Handles `POST provider-hook` (contract 7.9). It only queues checks. The order of steps is decision 21. */
export function hookRoute(app: HookDeps) {
  const { clock, webhookCalls } = app;
  const handleEvents = createEventHandler(app);

  return async (c: Context<HasBody & HasCredential>): Promise<Response> => {
    const { body, credential, sources } = c.var;
    const authenticated = credential !== undefined;
    const query = new URL(c.req.url, "http://any").searchParams;
    const { source, reading } = await readFrom(sources, {
      headers: c.req.raw.headers,
      body,
      query,
      authenticated,
    });
    if (reading.kind === "refused") {
      if (reading.reason === "unauthorized") return refuse(c, "unauthorized");
      noteRefusal(app, reading, credential);
      return refuse(c, "invalid");
    }
    const { type, payload, events } = reading;
    const action = await withDatabaseTimeout(handleEvents(events, source.name), clock);
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

/** Returns which webhook secret the call contains: the current one, or the previous one while the admin allows it. */
function secretOf(
  c: Context,
  { settings, clock }: Pick<HookDeps, "settings" | "clock">,
): HookCredential | undefined {
  const { webhooks } = settings.current();
  const given = c.req.header("x-cfbe-secret");
  if (secretsEqual(given, webhooks.secret)) return "secret";
  return acceptsPrevious(webhooks, clock.now()) && secretsEqual(given, webhooks.previousSecret)
    ? "previous secret"
    : undefined;
}

/** Returns the bearer tokens of a call. A proxy may rename the `Authorization` header (contract 7.3). */
function bearersOf({ req }: Context): (string | undefined)[] {
  return ["authorization", "x-forwarded-authorization"].map((name) => bearerOf(req.raw.headers, name));
}

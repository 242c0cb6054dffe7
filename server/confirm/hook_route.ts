import type { Context } from "hono";
import type { HookAnswer } from "../../shared/contract.ts";
import { HOOK_BODY_BYTES } from "../../shared/limits.ts";
import type { Log } from "../deps.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { WebhookEvent } from "../hooks/types.ts";
import { bearerOf } from "../http/bearer.ts";
import { readCounted } from "../http/counted_body.ts";
import { inTime } from "../http/in_time.ts";
import type { ClientIp } from "../http/visitor/client_ip.ts";
import { limitSubject } from "../http/visitor/visitor_ip.ts";
import { secretsEqual } from "../keys/keyring.ts";
import type { Chains } from "../kv/chains.ts";
import type { Policies } from "../limits/policies.ts";
import { spend } from "../limits/spend.ts";
import { type HookCredential, plainType, type WebhookCalls } from "../observe/webhook_calls.ts";
import type { Provider, WebhookReading } from "../provider/port.ts";
import type { SettingsStore } from "../settings/store.ts";
import { createReact, type ReactDeps } from "./react.ts";

interface Deps extends ReactDeps {
  log: Log;
  chains: Chains;
  policies: Policies;
  hooks: Hooks;
  settings: SettingsStore;
  provider: Provider;
  webhookCalls: WebhookCalls;
  clientIp: ClientIp;
}

/** An authenticated call as it was read. */
type Reading = Exclude<WebhookReading, { reason: "unauthorized" }> | { kind: "refused"; reason: "too_large" };
type Refused = Extract<Reading, { kind: "refused" }>;

/** `POST provider-hook` (contract 7.9): queues work, does none. In the order of decision 21. */
export function hookRoute(app: Deps) {
  const { clock, policies, log, webhookCalls } = app;
  const react = createReact(app);

  return async (c: Context): Promise<Response> => {
    const answer = (status: 200 | 400 | 401 | 413 | 429 | 503, body: HookAnswer = { ok: false }) =>
      c.json(body, status);
    try {
      const verdict = await inTime(spend(app, policies.hookIp(limitSubject(await app.clientIp(c)))), clock);
      if (!verdict.admitted) {
        c.header("Retry-After", String(Math.ceil(verdict.retryAfterMs / 1000)));
        return answer(429);
      }
      const credential = credentialOf(c, app);
      const reading = await read(app, c, credential);
      if (!reading) {
        webhookCalls.note({ at: clock.now(), result: "unauthorized" });
        return answer(401);
      }
      if (reading.kind === "refused") {
        noteRefusal(app, reading, credential);
        return answer(reading.reason === "too_large" ? 413 : 400);
      }
      const { type, payload, events } = reading;
      const action = await inTime(react(events), clock);
      const by = credential ?? "signature";
      webhookCalls.note({ at: clock.now(), by, type: plainType(type), result: action });
      fire(app, { payload, action });
      return answer(200, { ok: true, action });
    } catch (error) {
      // Whatever it was, the provider will send it again, and the poll asks anyway.
      log.error("hook.failed", { error });
      return answer(503);
    }
  };
}

/** Returns undefined for a call that nothing authenticates. Its body is read only if the provider signs webhooks. */
async function read(
  { clock, provider }: Deps,
  c: Context,
  credential: HookCredential | undefined,
): Promise<Reading | undefined> {
  const authenticated = credential !== undefined;
  if (!authenticated && !provider.capabilities.signedWebhooks) return undefined;
  const { raw } = c.req;
  const body = await readCounted(raw, HOOK_BODY_BYTES, clock);
  if (!body) return { kind: "refused", reason: "too_large" };
  const reading = provider.readWebhook({ headers: raw.headers, body, authenticated });
  return reading.kind === "refused" && reading.reason === "unauthorized" ? undefined : reading;
}

/** Names of the reasons in the site's own code and in the admin. */
const REASONS = { malformed: "not_json", no_email: "no_email", too_large: "too_large" } as const;

function noteRefusal(app: Deps, refused: Refused, credential: HookCredential | undefined): void {
  const reason = REASONS[refused.reason];
  // Of a body that is too large, no signature was verified.
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

/** Fires `cfbe_webhook_received`. Not awaited: the provider does not wait for the owner's code. */
function fire({ settings, hooks, clock }: Deps, event: Omit<WebhookEvent, "at">): void {
  if (!settings.current().general.modules.webhooks) return;
  void hooks.act("cfbe_webhook_received", { ...event, at: clock.now() });
}

/**
 * Returns what authenticates the call, if anything does: the API key, the webhook secret, or the secret before it for
 * as long as the admin has allowed.
 */
function credentialOf(c: Context, { settings, clock }: Deps): HookCredential | undefined {
  const { webhooks } = settings.current();
  if (bearersOf(c).some((bearer) => secretsEqual(bearer, settings.apiKey()))) return "key";
  const given = c.req.header("x-cfbe-secret");
  if (secretsEqual(given, webhooks.secret)) return "secret";
  const until = clock.now() < webhooks.previousUntil;
  return until && secretsEqual(given, webhooks.previousSecret) ? "previous secret" : undefined;
}

/** A proxy may consume `Authorization` and pass it on under another name (contract 7.3). */
function bearersOf({ req }: Context): (string | undefined)[] {
  return ["authorization", "x-forwarded-authorization"].map((name) => bearerOf(req.raw.headers, name));
}

import type { Context } from "hono";
import type { HookAnswer } from "../../shared/contract.ts";
import { HOOK_BODY_BYTES } from "../../shared/limits.ts";
import type { ConfirmedBy } from "../../shared/outcomes.ts";
import { bearerOf } from "../http/bearer.ts";
import { asObject, parseJson, readCounted } from "../http/counted_body.ts";
import { inTime } from "../http/in_time.ts";
import { limitSubject } from "../http/visitor/visitor_ip.ts";
import { addJob } from "../jobs/add.ts";
import { checkJob } from "./check_job.ts";
import type { JobRow } from "../jobs/row.ts";
import { secretsEqual } from "../keys/keyring.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import type { Policy } from "../limits/policies.ts";
import { type HookCredential, typeOf } from "../observe/webhook_calls.ts";
import type { WebhookEvent } from "../hooks/types.ts";
import type { Services } from "../services.ts";
import { type Effect, type HookEvent, readEvent, subscriptionEffect } from "./events.ts";
import { spend } from "../limits/spend.ts";

/**
 * `POST provider-hook` (contract 7.9): queues work, does none. In the order of decision 21.
 */
export function hookRoute(app: Services) {
  const { kv, clock, settings, policies, hooks, log, webhookCalls, activation } = app;

  /** Fires `cfbe_webhook_received`. Not awaited: the provider does not wait for the owner's code. */
  function fire(event: Omit<WebhookEvent, "at">): void {
    if (!settings.current().general.modules.webhooks) return;
    void hooks.act("cfbe_webhook_received", { ...event, at: clock.now() });
  }

  /** Adds a check in a commit of its own; one that waits already stays one. Deactivated, it waits for activation. */
  async function queueCheck(email: string, list: string, by: ConfirmedBy) {
    const job = checkJob({ email, list }, by);
    await cas(kv, [keys.job(job.id)], ([row]: Deno.KvEntryMaybe<unknown>[]) => ({
      value: undefined,
      write: (tx) =>
        void addJob(tx, row as Deno.KvEntryMaybe<JobRow>, {
          ...job,
          due: clock.now(),
          parked: !activation.isActive(),
        }, clock.now()),
    }), app);
    app.wake();
  }

  /** The lists on which an address has a signup here. */
  async function listsOf(email: string): Promise<string[]> {
    const lists: string[] = [];
    for await (const { key } of kv.list({ prefix: keys.signupsOf(email) })) lists.push(key.at(-1) as string);
    return lists;
  }

  async function effectOf(event: HookEvent): Promise<Effect["action"] | "refused"> {
    switch (event.kind) {
      case "automation_without_email":
        return "refused";
      case "unknown":
        return "ignored";
      case "subscription": {
        const own = (await kv.get(keys.signup(event.email, event.list))).value !== null;
        const effect = subscriptionEffect(event.type, event.status);
        if (own && effect.check) await queueCheck(event.email, event.list, effect.check);
        return own ? effect.action : "ignored";
      }
      case "delivery":
        if (event.email) {
          for (const list of await listsOf(event.email)) await queueCheck(event.email, list, "webhook");
        }
        return "received";
      case "automation": {
        const lists = await listsOf(event.email);
        for (const list of lists) await queueCheck(event.email, list, "automation");
        return lists.length > 0 ? "queued" : "ignored";
      }
    }
  }

  return async (c: Context): Promise<Response> => {
    const answer = (status: 200 | 400 | 401 | 413 | 429 | 503, body: HookAnswer = { ok: false }) =>
      c.json(body, status);
    try {
      const policy: Policy = policies.hookIp(limitSubject(await app.clientIp(c)));
      const verdict = await inTime(spend(app, policy), clock);
      if (!verdict.admitted) {
        c.header("Retry-After", String(Math.ceil(verdict.retryAfterMs / 1000)));
        return answer(429);
      }
      const by = credentialOf(c, app);
      if (!by) {
        webhookCalls.note({ at: clock.now(), result: "unauthorized" });
        return answer(401);
      }

      const bytes = await readCounted(c.req.raw, HOOK_BODY_BYTES, clock);
      const payload = bytes && asObject(parseJson(bytes));
      if (!payload) {
        const reason = bytes ? "not_json" : "too_large";
        webhookCalls.note({ at: clock.now(), by, result: reason });
        fire({ payload: {}, action: "rejected", reason });
        return answer(bytes ? 400 : 413);
      }

      const action = await inTime(effectOf(readEvent(payload)), clock);
      webhookCalls.note({ at: clock.now(), by, type: typeOf(payload), result: action });
      if (action === "refused") {
        fire({ payload, action: "rejected", reason: "no_email" });
        return answer(400);
      }
      fire({ payload, action });
      return answer(200, { ok: true, action });
    } catch (error) {
      // Whatever it was, the provider will tell again, and the poll looks anyway.
      log.error("hook.failed", { error });
      return answer(503);
    }
  };
}

/**
 * What opens the route, if anything does: the API key, the secret, or the secret before it for as long as the admin
 * has allowed.
 */
function credentialOf(c: Context, { settings, clock }: Services): HookCredential | undefined {
  const { general, webhooks } = settings.current();
  if (bearersOf(c).some((bearer) => secretsEqual(bearer, general.apiKey))) return "key";
  const given = c.req.header("x-cfbe-secret");
  if (secretsEqual(given, webhooks.secret)) return "secret";
  const until = clock.now() < webhooks.previousUntil;
  return until && secretsEqual(given, webhooks.previousSecret) ? "previous secret" : undefined;
}

/** A proxy may consume `Authorization` and pass it on under another name (contract 7.3). */
function bearersOf({ req }: Context): (string | undefined)[] {
  return ["authorization", "x-forwarded-authorization"].map((name) => bearerOf(req.raw.headers, name));
}

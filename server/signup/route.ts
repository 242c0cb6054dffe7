import type { Context } from "hono";
import { SOURCES } from "../../shared/contract.ts";
import { SUBSCRIBE_BODY_BYTES, SUBSCRIBE_PER_SITE } from "../../shared/limits.ts";
import type { Services } from "../services.ts";
import { asObject, parseJson, readCounted } from "../http/counted_body.ts";
import { limitSubject } from "../http/visitor_ip.ts";
import { tokenFault } from "../keys/form_token.ts";
import { siteLimitOf } from "../limits/policies.ts";
import type { Books } from "../observe/books.ts";
import { acceptedLocales, wordsFor } from "../settings/words.ts";
import { DELIVER_AFTER_MS, isAlreadySubscribed } from "./already_subscribed.ts";
import { type Arrival, replies, type Reply } from "./answer.ts";
import { listFor, readFormConfig } from "./form_config.ts";
import type { Signup } from "./record.ts";
import { checkFields } from "./request.ts";
import type { Gate } from "./service.ts";
import { consentSeen } from "./consent_text.ts";

/**
 * `POST subscribe` (contract §4.1). The numbers are the steps of decisions §4; the order is the guarantee.
 */
export function subscribeRoute(app: Services) {
  const { clock, keyring, settings, signups, policies, hooks, books, log } = app;

  return async (c: Context): Promise<Response> => {
    const current = settings.current();
    const words = wordsFor(current, acceptedLocales(c.req.header("accept-language")));
    const { texts } = words;
    let arrival: Arrival | undefined;
    let form = "-";

    /** Every way out: counted once, and a success not before its time. */
    const leave = async (entry: Parameters<Books["count"]>[1], reply: Reply) => {
      books.count(form, entry);
      if (reply.status === 200) await arrival?.leave();
      if (reply.retryAfterMs !== undefined) {
        c.header("Retry-After", String(Math.ceil(reply.retryAfterMs / 1000)));
      }
      return c.json(reply.body, reply.status);
    };

    try {
      // 1. Counted as it streams.
      const bytes = await readCounted(c.req.raw, SUBSCRIBE_BODY_BYTES, clock);
      if (!bytes) return await leave("invalid.too_large", replies.tooLarge(texts));
      // Not earlier: who sends slowly would use up the pause that hides what is done with it.
      arrival = app.pace.arrive();
      const now = clock.now();

      // 2. A JSON object from one of the four public forms.
      const body = asObject(parseJson(bytes));
      if (!body) return await leave("invalid.not_json", replies.invalid(texts, {}));
      const source = SOURCES.find((known) => known === body["source"]);
      if (!source) return await leave("invalid.source", replies.invalid(texts, { source: texts.invalid }));
      form = source;

      // 3. Bots, and forms nobody could have filled in: a fake success. Nothing about the address is read.
      if (!isEmpty(body["cfbe_hp"])) return await leave("dropped.honeypot", replies.pending(texts));
      const fault = tokenFault(keyring, body["cfbe_token"], now);
      if (fault) return await leave(`dropped.${fault}`, replies.pending(texts));

      const config = readFormConfig(keyring, body["cfbe_cfg"]);
      if (!config && !isEmpty(body["cfbe_cfg"])) books.note("cfg_unverified");
      if (config?.form) form = config.form;

      const ip = await app.clientIp(c);
      const checked = checkFields(body, current.form, texts);
      const perMinute = await hooks.filter("cfbe_signup_site_limit", SUBSCRIBE_PER_SITE.max);
      const site = policies.site(siteLimitOf(perMinute));

      let signup: Signup | undefined;
      const gates: Gate<"invalid" | "rejected">[] = [{ limit: policies.ip(limitSubject(ip)) }]; // 4.
      if (!checked.ok) gates.push({ refuse: "invalid" }); // 5.
      else if (!app.isConfigured()) gates.push({ refuse: "rejected" }); // 6.
      else {
        if (site) gates.push({ limit: site }); // 7.
        const { email, name, interests, consent } = checked.filled;
        const placement = config?.placement;
        signup = {
          email,
          list: listFor(config, current),
          ...(name !== undefined && { name }),
          tags: [...interests, ...(config?.tags ?? []), ...(placement ? [`placement-${placement}`] : [])],
          source,
          ...(config?.form !== undefined && { form: config.form }),
          consent: {
            ...await consentSeen(app, words, config, consent),
            ip,
            ...(placement !== undefined && { placement }),
            ...originOf(c),
          },
        };
      }

      // 8. and 9. The mailbox's limit and the commit are the signup service's, for every source.
      const asks = current.form.showAlreadySubscribed;
      const admission = await signups.signUp(signup, gates, asks ? DELIVER_AFTER_MS : 0);
      if (admission.kind === "limited") {
        return await leave(`refused.${admission.by}`, replies.rateLimited(texts, admission.retryAfterMs));
      }
      if (admission.kind === "refused") {
        if (admission.refusal === "rejected") {
          return await leave("rejected.not_configured", replies.rejected(texts));
        }
        return await leave("invalid.fields", replies.invalid(texts, checked.ok ? {} : checked.fields));
      }
      arrival.accepted();
      // The one call that a visitor waits for; behind the limits, or they would not limit it.
      const already = asks && signup !== undefined && await isAlreadySubscribed(app.provider, signup);
      return await leave("accepted", already ? replies.alreadyActive(texts) : replies.pending(texts));
    } catch (error) {
      log.error("subscribe.failed", { error });
      return await leave("rejected.error", replies.rejected(texts));
    }
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function originOf(c: Context): { origin?: string } {
  const origin = c.req.header("origin");
  return origin && origin !== "null" && origin.length <= 255 ? { origin } : {};
}

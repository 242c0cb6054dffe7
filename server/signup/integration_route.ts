import type { Context } from "hono";
import { z } from "zod";
import { INTEGRATION_SOURCES } from "../../shared/contract.ts";
import { SUBSCRIBE_BODY_BYTES } from "../../shared/limits.ts";
import { bearerOf } from "../http/bearer.ts";
import { asObject, parseJson, readCounted } from "../http/counted_body.ts";
import { inTime } from "../http/in_time.ts";
import { normalIp } from "../http/visitor/ip_ranges.ts";
import { limitSubject } from "../http/visitor/visitor_ip.ts";
import { secretsEqual } from "../keys/keyring.ts";
import { spend } from "../limits/spend.ts";
import type { Counters, Entry } from "../observe/counters.ts";
import type { Config } from "../config.ts";
import type { Clock, Log, Random } from "../deps.ts";
import type { Chains } from "../kv/chains.ts";
import type { Policies } from "../limits/policies.ts";
import type { ClientIp } from "../http/visitor/client_ip.ts";
import type { SettingsStore } from "../settings/store.ts";
import type { SignupService } from "./service.ts";
import { wordsFor } from "../settings/words.ts";
import { entryOf, replies, type Reply, replyOf } from "./answer.ts";
import { consentSeen, type ConsentTexts } from "./record/consent_text.ts";
import { listFor } from "./form/signed_config.ts";
import { checkFields } from "./request.ts";
import type { Admission, Refusal } from "./admission.ts";

/** What a server adds to the fields of a form; what is none is as good as not said. */
const Extras = z.object({
  list: z.string().max(200).optional().catch(undefined),
  locale: z.string().max(35).default("").catch(""),
  /** The visitor's, for the record of consent: the request's own is that of a server. */
  ip: z.string().optional().catch(undefined).transform((ip) => ip === undefined ? undefined : normalIp(ip)),
  origin: z.string().max(255).optional().catch(undefined),
});

interface Deps {
  config: Pick<Config, "apiToken">;
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  chains: Chains;
  policies: Policies;
  counters: Counters;
  settings: SettingsStore;
  consentTexts: ConsentTexts;
  signups: SignupService;
  isConfigured(): boolean;
  clientIp: ClientIp;
}

/**
 * `POST {base_url}/integrations/signup`, with the API token: signups from a shop's accounts and from other form
 * systems. The same fields, answers and mailbox limit as every source has; what a bot could not pass is not asked
 * for. While no provider is configured it answers 503, and the sender tries again: nothing is accepted then.
 */
export function integrationRoute(app: Deps) {
  const { config, clock, settings, signups, policies, counters, log } = app;

  return async (c: Context): Promise<Response> => {
    let words = wordsFor(settings.current(), []);
    let form = "integration";
    const leave = (entry: Entry, reply: Reply) => {
      counters.count(form, entry);
      if (reply.retryAfterMs !== undefined) {
        c.header("Retry-After", String(Math.ceil(reply.retryAfterMs / 1000)));
      }
      return c.json(reply.body, reply.status);
    };
    try {
      const fromServer = await spend(app, policies.shopIp(limitSubject(await app.clientIp(c))));
      if (!fromServer.admitted) {
        return leave("refused.shop_ip", replies.rateLimited(words.texts, fromServer.retryAfterMs));
      }
      if (!secretsEqual(bearerOf(c.req.raw.headers), config.apiToken)) {
        return c.json({ error: "The API token is missing or wrong." }, 401, { "WWW-Authenticate": "Bearer" });
      }
      const bytes = await readCounted(c.req.raw, SUBSCRIBE_BODY_BYTES, clock);
      if (!bytes) return leave("invalid.too_large", replies.tooLarge(words.texts));
      const body = asObject(parseJson(bytes));
      if (!body) return leave("invalid.not_json", replies.invalid(words.texts, {}));

      const { list, locale, ip, origin } = Extras.parse(body);
      const current = settings.current();
      words = wordsFor(current, [locale]);
      const { texts } = words;
      const source = INTEGRATION_SOURCES.find((known) => known === body["source"]);
      if (!source) return leave("invalid.source", replies.invalid(texts, { source: texts.invalid }));
      form = source;

      const checked = checkFields(body, current.form, texts);
      const decided = (admission: Admission) => leave(entryOf(admission), replyOf(admission, texts));
      const refused = (refusal: Refusal) => decided({ kind: "refused", refusal });
      if (!checked.ok) return refused({ reason: "invalid", fields: checked.fields });
      if (!app.isConfigured()) return refused({ reason: "not_configured" });
      const { email, name, interests, consent } = checked.filled;
      const signup = {
        email,
        list: listFor(list === undefined ? undefined : { list }, current),
        ...(name !== undefined && { name }),
        tags: interests,
        source,
        consent: {
          ...await consentSeen(app, words, undefined, consent),
          ip: ip ?? null,
          ...(origin !== undefined && { origin }),
        },
      };
      return decided(await inTime(signups.accept(signup, []), clock));
    } catch (error) {
      log.error("integration.request_failed", { error });
      return leave("rejected.error", replies.rejected(words.texts));
    }
  };
}

import type { Context } from "hono";
import { FORM_SOURCES } from "../../shared/contract.ts";
import { SUBSCRIBE_BODY_BYTES } from "../../shared/limits.ts";
import { asObject, parseJson, readBody } from "../http/request_body.ts";
import { setRetryAfter } from "../http/errors.ts";
import { withDatabaseTimeout } from "../http/database_timeout.ts";
import { isForeignOrigin, pageOrigin, skipsPreflight } from "../http/visitor/page_origin.ts";
import type { Entry } from "../observe/counters.ts";
import type { Config } from "../config.ts";
import type { Log } from "../deps.ts";
import type { ClientIp } from "../http/visitor/client_ip.ts";
import { acceptedLocales, wordsFor } from "../settings/words.ts";
import { replies, type Reply } from "./reply.ts";
import type { RequestTimer, ResponseTimer } from "./response_timer.ts";
import { processSubmission, type SubmissionDeps } from "./process_submission.ts";

/** What `POST subscribe` and the form page need. */
export interface SubscribeDeps extends SubmissionDeps {
  config: Pick<Config, "baseUrl">;
  log: Log;
  responseTimer: ResponseTimer;
  clientIp: ClientIp;
}

/**
 * `POST subscribe` (contract 4.1 to 4.20). The numbers are the steps of decision 10; `processSubmission` goes on with the third.
 */
export function subscribeRoute(app: SubscribeDeps) {
  const { config, clock, settings, counters, log } = app;

  const fromForeign = (headers: Headers) =>
    isForeignOrigin(headers, { baseUrl: config.baseUrl, origins: settings.current().general.origins });

  return async (c: Context): Promise<Response> => {
    const words = wordsFor(settings.current(), acceptedLocales(c.req.header("accept-language")));
    const { texts } = words;
    let timer: RequestTimer | undefined;
    let form = "-";

    /** Every way out: counted once, and a success not before its time. */
    const leave = async (entry: Entry, reply: Reply) => {
      counters.count(form, entry);
      if (reply.status === 200) await timer?.waitUntilDue();
      if (reply.retryAfterMs !== undefined) {
        setRetryAfter(c, reply.retryAfterMs);
      }
      return c.json(reply.body, reply.status);
    };

    try {
      // 1. Counted as it streams.
      const bytes = await readBody(c.req.raw, SUBSCRIBE_BODY_BYTES, clock);
      if (!bytes) return await leave("invalid.too_large", replies.tooLarge(texts));
      // Not earlier: who sends slowly would use up the pause that hides what is done with it.
      timer = app.responseTimer.start();

      // 2. A JSON object from one of the four public forms, which a page must have declared as one.
      const { headers } = c.req.raw;
      const body = skipsPreflight(headers) ? undefined : asObject(parseJson(bytes));
      if (!body) return await leave("invalid.not_json", replies.invalid(texts, {}));
      const source = FORM_SOURCES.find((known) => known === body["source"]);
      if (!source) return await leave("invalid.source", replies.invalid(texts, { source: texts.invalid }));
      form = source;

      const ip = () => app.clientIp(c);
      const submission = {
        body,
        source,
        words,
        ip,
        origin: pageOrigin(headers),
        foreign: fromForeign(headers),
      };
      const result = await withDatabaseTimeout(processSubmission(app, submission, timer), clock);
      form = result.form;
      return await leave(result.entry, result.reply);
    } catch (error) {
      log.error("subscribe.request_failed", { error });
      return await leave("rejected.error", replies.rejected(texts));
    }
  };
}

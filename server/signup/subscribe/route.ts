import type { Context } from "hono";
import { FORM_SOURCES } from "../../../shared/contract.ts";
import { SUBSCRIBE_BODY_BYTES } from "../../../shared/limits.ts";
import { asObject, parseJson, readBody } from "../../platform/http/request_body.ts";
import { setRetryAfter } from "../../platform/http/errors.ts";
import {
  isForeignOrigin,
  isTextFromSite,
  pageOrigin,
  skipsPreflight,
} from "../../platform/http/visitor/page_origin.ts";
import type { CounterEntry } from "../../platform/observe/counters.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Log, Random } from "../../platform/deps.ts";
import type { ClientIp } from "../../platform/http/visitor/client_ip.ts";
import type { NoteVisitor } from "../../platform/http/visitor/note_visitor.ts";
import { acceptedLocales } from "../../platform/http/visitor/accepted_locales.ts";
import { settingsOfForm } from "../../settings/forms/form_settings.ts";
import { replies, type Reply } from "./reply.ts";
import type { RequestTimer, ResponseTimer } from "./response_timer.ts";
import { processSubmission, type SubmissionDeps } from "./process_submission.ts";

export interface SubscribeDeps extends SubmissionDeps {
  config: Pick<Config, "baseUrl">;
  log: Log;
  responseTimer: ResponseTimer;
  clientIp: ClientIp;
  noteVisitor: NoteVisitor;
  random: Random;
}

/** Returns the visitor's IP, and notes the request as a visitor's. */
export function ipOfVisitor(
  app: Pick<SubscribeDeps, "clientIp" | "noteVisitor">,
  c: Context,
): Promise<string> {
  app.noteVisitor(c);
  return app.clientIp(c);
}

/**
 * Handles `POST subscribe` (contract 4.1 to 4.20): steps 1 and 2 of decision 10, then `processSubmission` from step 3.
 */
export function subscribeRoute(app: SubscribeDeps) {
  const { config, clock, settings, counters, log } = app;

  const site = () => ({ baseUrl: config.baseUrl, origins: settings.current().general.origins });

  return async (c: Context): Promise<Response> => {
    const locales = acceptedLocales(c.req.header("accept-language"));
    const { texts } = settingsOfForm(settings.current(), {}, locales);
    let timer: RequestTimer | undefined;
    let form = "-";

    /** Counts the request and responds; a success waits until it is due. */
    const respond = async (entry: CounterEntry, reply: Reply) => {
      counters.count(form, entry);
      if (reply.status === 200) await timer?.waitUntilDue();
      const response = c.json(reply.body, reply.status);
      if (reply.retryAfterMs !== undefined) setRetryAfter(response, reply.retryAfterMs);
      return response;
    };

    try {
      // 1. Count the bytes as they arrive.
      const bytes = await readBody(c.req.raw, SUBSCRIBE_BODY_BYTES, clock);
      if (!bytes) return await respond("invalid.too_large", replies.tooLarge(texts));
      // Started only now: a slow upload would use up the time that hides how long the work takes.
      using started = app.responseTimer.start();
      timer = started;

      // 2. Require a JSON object from one of the four public forms. A page must send it as
      // `application/json`, or as plain text from an allowed origin.
      const { headers } = c.req.raw;
      const isRefused = skipsPreflight(headers) && !isTextFromSite(headers, site());
      const body = isRefused ? undefined : asObject(parseJson(bytes));
      if (!body) return await respond("invalid.not_json", replies.invalid(texts, {}));
      const source = FORM_SOURCES.find((known) => known === body["source"]);
      if (!source) return await respond("invalid.source", replies.invalid(texts, { source: texts.invalid }));
      form = source;

      const ip = () => ipOfVisitor(app, c);
      const submission = {
        body,
        source,
        locales,
        ip,
        origin: pageOrigin(headers),
        foreign: isForeignOrigin(headers, site()),
      };
      const result = await processSubmission(app, submission, timer);
      form = result.form;
      return await respond(result.entry, result.reply);
    } catch (error) {
      log.error("subscribe.request_failed", { error });
      return await respond("rejected.error", replies.unavailable(texts));
    }
  };
}

import type { Context } from "hono";
import { SOURCES } from "../../shared/contract.ts";
import { SUBSCRIBE_BODY_BYTES } from "../../shared/limits.ts";
import { asObject, parseJson, readCounted } from "../http/counted_body.ts";
import type { Entry } from "../observe/books.ts";
import type { Services } from "../services.ts";
import { acceptedLocales, wordsFor } from "../settings/words.ts";
import { type Arrival, replies, type Reply } from "./answer.ts";
import { receive } from "./receive.ts";

/**
 * `POST subscribe` (contract §4.1). The numbers are the steps of decisions §4; `receive` goes on with the third.
 */
export function subscribeRoute(app: Services) {
  const { clock, settings, books, log } = app;

  return async (c: Context): Promise<Response> => {
    const words = wordsFor(settings.current(), acceptedLocales(c.req.header("accept-language")));
    const { texts } = words;
    let arrival: Arrival | undefined;
    let form = "-";

    /** Every way out: counted once, and a success not before its time. */
    const leave = async (entry: Entry, reply: Reply) => {
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

      // 2. A JSON object from one of the four public forms.
      const body = asObject(parseJson(bytes));
      if (!body) return await leave("invalid.not_json", replies.invalid(texts, {}));
      const source = SOURCES.find((known) => known === body["source"]);
      if (!source) return await leave("invalid.source", replies.invalid(texts, { source: texts.invalid }));
      form = source;

      const ip = () => app.clientIp(c);
      const received = await receive(app, { body, source, words, ip, origin: pageOrigin(c) }, arrival);
      form = received.form;
      return await leave(received.entry, received.reply);
    } catch (error) {
      log.error("subscribe.failed", { error });
      return await leave("rejected.error", replies.rejected(texts));
    }
  };
}

const ORIGIN_MAX = 255;

/** Origin of the page that sent the request; a sandboxed frame has none to tell. */
export function pageOrigin(c: Context): string | undefined {
  const origin = c.req.header("origin");
  return origin && origin !== "null" && origin.length <= ORIGIN_MAX ? origin : undefined;
}

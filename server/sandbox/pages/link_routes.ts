import { Hono } from "hono";
import type { Context } from "../context.ts";
import { confirm, pause, resume, unsubscribe, type Who } from "../moves.ts";
import { readLink } from "../subscribers.ts";
import type { Changed } from "../subscribers.ts";
import type { Places } from "./layout.ts";
import { outcomePage, sentencePage } from "./outcome_page.ts";

const PAUSE_MS = 30 * 24 * 60 * 60 * 1000;
const TOKEN = "[A-Za-z0-9_-]{32}";

/**
 * The links in mails. They act on GET, as they do at real providers, and however often they are opened they act
 * once. The token is all that is asked for: whoever has the mail may.
 */
export function linkRoutes(context: Context, places: Places): Hono {
  const app = new Hono();
  const actions: Readonly<Record<string, (who: Who) => Promise<Changed>>> = {
    confirm: (who) => confirm(context, who),
    unsubscribe: (who) => unsubscribe(context, who),
    pause: (who) => pause(context, who, context.clock.now() + PAUSE_MS),
    resume: (who) => resume(context, who),
  };
  for (const [name, act] of Object.entries(actions)) {
    app.get(`/${name}/:token{${TOKEN}}`, async (c) => {
      const who = await readLink(context.kv, c.req.param("token"));
      const came = who && await act(who);
      if (!came || came.kind === "absent") return c.html(missing(places), 404);
      return c.html(outcomePage(places, came.subscriber, came.list));
    });
  }
  return app;
}

const missing = (places: Places) =>
  sentencePage(places, "This link leads nowhere", "It is incomplete, or the subscription was erased.");

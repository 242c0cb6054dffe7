import { Hono } from "hono";
import type { Context } from "../account/context.ts";
import { confirm, pause, resume, type SubscriptionRef, unsubscribe } from "../account/transitions.ts";
import { readLinkTarget } from "../account/subscribers.ts";
import type { ChangeResult } from "../account/subscribers.ts";
import type { SandboxUrls } from "./layout.tsx";
import { messagePage, outcomePage } from "./outcome_page.tsx";

const PAUSE_MS = 30 * 24 * 60 * 60 * 1000;
const TOKEN = "[A-Za-z0-9_-]{32}";

/**
 * Serves the links in emails. They act on GET, as at real providers, and only once however often they are
 * opened. The token is the only credential: anyone with the email may use the link.
 */
export function linkRoutes(context: Context, urls: SandboxUrls): Hono {
  const app = new Hono();
  const actions: Readonly<Record<string, (ref: SubscriptionRef) => Promise<ChangeResult>>> = {
    confirm: (ref) => confirm(context, ref),
    unsubscribe: (ref) => unsubscribe(context, ref),
    pause: (ref) => pause(context, ref, context.clock.now() + PAUSE_MS),
    resume: (ref) => resume(context, ref),
  };
  for (const [name, act] of Object.entries(actions)) {
    app.get(`/${name}/:token{${TOKEN}}`, async (c) => {
      const ref = await readLinkTarget(context.kv, c.req.param("token"));
      const result = ref && await act(ref);
      if (!result || result.kind === "absent") return c.html(missing(urls), 404);
      return c.html(outcomePage(urls, result.subscriber, result.list));
    });
  }
  return app;
}

const missing = (urls: SandboxUrls) =>
  messagePage(urls, "This link is not valid", "It is incomplete, or the subscription was erased.");

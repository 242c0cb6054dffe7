import type { ReservedHeights } from "../../../shared/reserved_height.ts";
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import type { Clock, Log } from "../../platform/deps.ts";
import { assets, ownPage, PAGE_ASSETS_FOLDER } from "../../platform/pages/own_page.ts";
import type { Journey } from "./journey.ts";
import { galleryPage } from "./gallery.tsx";
import { demoPage, LETTER } from "./page.tsx";
import { formRule, type SnippetTexts } from "./snippet.ts";

export interface DemoOptions {
  /** Public URL of this service, without a trailing slash. */
  baseUrl: string;
  journey: Journey;
  clock: Clock;
  log: Log;
  /**
   * Whether a request may see the page. It shows the progress of the newest signup, and the link that
   * confirms it.
   */
  allowed(request: Request, peer: string | undefined): boolean | Promise<boolean>;
  /** Whether the sandbox is the provider. Only then can faults be simulated, and only then is there an inbox. */
  sandbox: boolean;
  /** Name of the form that the page embeds; "footer" by default. */
  form?: string;
  /** Returns the signed configuration that makes the signups of the page's form test signups. */
  testConfig(form: string): string;
  /** Returns the heights to reserve for a form with these texts of the page. @param form name of the form */
  heightsOf(form: string, texts: SnippetTexts): ReservedHeights;
  /** Runs the 15-minute poll at once. Without it, the page has no button for that. */
  pollNow?(): Promise<void>;
}

const ASSETS = new URL("./assets/", import.meta.url);
const query = z.object({ since: z.coerce.number().int().nonnegative().catch(0) });

/** Creates the demo shop. Mount it at `{base}/demo`. */
export function createDemo(options: DemoOptions): Hono {
  const { journey, clock, log, allowed, pollNow, heightsOf } = options;
  const form = options.form ?? "footer";
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const { origin } = new URL(baseUrl);
  const app = new Hono();

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    log.error("demo.request_failed", { error });
    return c.json({ error: "Something went wrong. See the service's log for details." }, 500);
  });

  // The widget has to work under a Content Security Policy as strict as this.
  app.use(ownPage([origin]));

  app.route("/assets", assets(ASSETS, PAGE_ASSETS_FOLDER));

  app.use(async (c, next) => {
    c.header("cache-control", "no-store");
    if (await allowed(c.req.raw, (c.env as { peer?: string } | undefined)?.peer)) return await next();
    return c.text("Sign in to the admin to see the demo.", 403);
  });
  app.use(csrf({ origin: (from, c) => [origin, new URL(c.req.url).origin].includes(from) }));

  app.get("/", (c) =>
    c.html(demoPage({
      baseUrl,
      form,
      cfg: options.testConfig(form),
      sandbox: options.sandbox,
      canPoll: pollNow !== undefined,
      heights: heightsOf(form, LETTER),
    })));

  // The part of the snippet that this page's Content Security Policy allows only in a style sheet.
  app.get(
    "/form.css",
    (c) =>
      c.body(formRule(form, heightsOf(form, LETTER)), 200, { "content-type": "text/css; charset=utf-8" }),
  );

  app.get("/gallery", (c) => c.html(galleryPage({ baseUrl, query: c.req.query() })));

  app.get("/journey.json", async (c) => {
    const { since } = query.parse(c.req.query());
    return c.json({ now: clock.now(), facts: await journey(since) });
  });

  if (pollNow) {
    app.post("/poll", async (c) => {
      await pollNow();
      return c.body(null, 204);
    });
  }

  return app;
}

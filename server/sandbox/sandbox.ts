import { Hono } from "hono";
import type { Clock, Fetch, Log, Random } from "../platform/deps.ts";
import type { Kv } from "../platform/kv/port.ts";
import { apiRoutes } from "./api/routes.ts";
import { createBackground } from "./account/background.ts";
import { type Context, TIMING, type Timing } from "./account/context.ts";
import { localFetch } from "./local_fetch.ts";
import { readMails } from "./account/mail.ts";
import { linksOf } from "./pages/links.ts";
import { pageRoutes } from "./pages/routes.ts";
import { provision, type Provisioned } from "./account/project.ts";

export interface SandboxOptions {
  kv: Kv;
  clock: Clock;
  random: Random;
  /** Sends the webhook calls. */
  fetch: Fetch;
  log: Log;
  /** Public URL of this service, without a trailing slash. Its path prefixes every link. */
  baseUrl: string;
  /**
   * Whether a request may see the pages and simulate faults. Not asked for the API, which has its own key,
   * nor for links in emails, which carry a token.
   */
  allowed(request: Request, peer: string | undefined): boolean | Promise<boolean>;
  timing?: Partial<Timing>;
}

export interface Sandbox {
  /** Mount it at `{base}/sandbox`. */
  app: Hono;
  /** Creates project, API key and lists at the first call, and returns them at every call. */
  provision(): Promise<Provisioned>;
  /** Base URL of the API, for the provider adapter. */
  apiUrl: string;
  /**
   * Returns a fetch that handles calls to `apiUrl` in this process and passes on all others. So the sandbox
   * also works behind a proxy, and on hosts where a program cannot call itself.
   */
  localFetch(outside: Fetch): Fetch;
  /**
   * Returns when the newest confirmation email to an address was sent, in Unix milliseconds, and the link in
   * it; null if there is none.
   */
  lastMailTo(email: string): Promise<{ at: number; link: string } | null>;
  /** Resolves when no webhook call is in progress, and no call to the API whose caller has stopped waiting. */
  idle(): Promise<void>;
  /** Aborts webhook calls and waits until they and calls to the API have ended. Call it before you close the database. */
  close(): Promise<void>;
}

/** Serves the provider's HTTP API from this process, to try cfbe out. Sends no real email. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { kv, clock, random, fetch, log, allowed } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const background = createBackground(log);
  const timing = { ...TIMING, ...options.timing };
  const context: Context = { kv, clock, random, fetch, log, background, timing };
  const urls = { baseUrl, sandbox: `${baseUrl}/sandbox` };
  const apiUrl = `${urls.sandbox}/api`;

  const app = new Hono();
  app.route("/api/v1/projectId", apiRoutes(context, new URL(baseUrl).origin));
  app.route("/", pageRoutes(context, urls, allowed));

  // A mounted app sees full paths, so a direct call must pass full paths too.
  const mounted = new Hono().route(new URL(`${baseUrl}/sandbox`).pathname, app);
  return {
    app,
    provision: () => provision(context),
    apiUrl,
    localFetch: (outside) => localFetch(mounted, { base: apiUrl, outside, background }),
    async lastMailTo(email) {
      const { mails } = await readMails(kv, { email: email.toLowerCase(), limit: 10 });
      const mail = mails.find((mail) => mail.kind === "confirmation");
      const link = mail && linksOf(urls, mail).confirm;
      return link === undefined ? null : { at: mail!.at, link };
    },
    idle: background.idle,
    close: background.close,
  };
}

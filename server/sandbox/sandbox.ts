import { Hono } from "hono";
import type { Clock, Fetch, Log, Random } from "../deps.ts";
import { apiRoutes } from "./api/routes.ts";
import { createBackground } from "./background.ts";
import { type Context, TIMING, type Timing } from "./context.ts";
import { localFetch } from "./local_fetch.ts";
import { readMails } from "./mail.ts";
import { linksOf } from "./pages/links.ts";
import { pageRoutes } from "./pages/routes.ts";
import { provision, type Provisioned } from "./project.ts";

export interface SandboxOptions {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  /** Carries the webhook calls. */
  fetch: Fetch;
  log: Log;
  /** Public address of this service, without a slash at its end; its path prefixes every link. */
  baseUrl: string;
  /**
   * Who may see the pages and turn the switches. The API has its own key, and the links in mails their own
   * unguessable token, so that neither asks.
   */
  allowed(request: Request, peer: string | undefined): boolean | Promise<boolean>;
  timing?: Partial<Timing>;
}

export interface Sandbox {
  /** To be mounted at `{base}/sandbox`. */
  app: Hono;
  /** Makes project, key and lists at the first call; says at every call what they are. */
  provision(): Promise<Provisioned>;
  /** For the adapter: the address of the API. */
  apiUrl: string;
  /**
   * A fetch that answers calls to `apiUrl` in this process and hands on all others: no way out and back through
   * a proxy, and none where a host forbids a program to call itself.
   */
  localFetch(outside: Fetch): Fetch;
  /**
   * The newest confirmation mail to an address.
   *
   * @returns when it was sent, in Unix milliseconds, and the link in it; null when there is none
   */
  lastMailTo(email: string): Promise<{ at: number; link: string } | null>;
  /** Resolves when no webhook call is under way. */
  idle(): Promise<void>;
  /** Stops webhook calls and waits for them; call it before the database is closed. */
  close(): Promise<void>;
}

/** The provider's HTTP contract served by this program, for trying out: it sends no real mail. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { kv, clock, random, fetch, log, allowed } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const background = createBackground(log);
  const timing = { ...TIMING, ...options.timing };
  const context: Context = { kv, clock, random, fetch, log, background, timing };
  const places = { baseUrl, sandbox: `${baseUrl}/sandbox` };
  const apiUrl = `${places.sandbox}/api`;

  const app = new Hono();
  app.route("/api/v1/projectId", apiRoutes(context, new URL(baseUrl).origin));
  app.route("/", pageRoutes(context, places, allowed));

  // Behind the prefix it is mounted at, the app sees whole paths; called directly, it must see them too.
  const mounted = new Hono().route(new URL(`${baseUrl}/sandbox`).pathname, app);
  return {
    app,
    provision: () => provision(context),
    apiUrl,
    localFetch: (outside) => localFetch(mounted, apiUrl, outside),
    async lastMailTo(email) {
      const { mails } = await readMails(kv, { email: email.toLowerCase(), limit: 10 });
      const mail = mails.find((mail) => mail.kind === "confirmation");
      const link = mail && linksOf(places, mail).confirm;
      return link === undefined ? null : { at: mail!.at, link };
    },
    idle: background.idle,
    close: background.close,
  };
}

import { type Context, Hono } from "hono";
import { z } from "zod";
import { isLoopback } from "../../config.ts";
import { readBody } from "../../http/request_body.ts";
import { limitSubject } from "../../http/visitor/visitor_ip.ts";
import { readRow } from "../../kv/key.ts";
import type { Policy } from "../../limits/policies.ts";
import { attempt } from "../../limits/spend.ts";
import type { AdminServices } from "../services.ts";
import { messagePage, setUpPage, signInPage } from "./sign_in_page.tsx";
import { pages } from "../pages/registry.ts";
import { fromOf } from "./request_origin.ts";
import { HashingBusy } from "./hash_queue.ts";
import { networkOf } from "./network.ts";
import { deviceOf, newDevice } from "./device.ts";
import { invalid } from "../refusal.ts";
import { setUpUsable } from "./set_up.ts";
import { Password, UserName, usersKey } from "./users.ts";
import { adminHref } from "../view.ts";

const BODY_BYTES = 8 * 1024;
const LONGEST_NAME = 100;

/** Routes without a session: signing in, and creating the first admin. */
export function signInRoutes(app: AdminServices): Hono {
  const routes = new Hono();
  const { users, sessions, cookies, hashes, audit } = app.admin;
  const href = (path: string) => adminHref(app, path);
  const { baseUrl } = app.config;
  const warning = baseUrl.startsWith("https:") || isLoopback(baseUrl)
    ? undefined
    : "The public URL uses http, so browsers do not keep you signed in. Serve cfbe over https, and set CFBE_BASE_URL.";
  const base = { href, warning };

  const { policies, keyring, random } = app;

  /**
   * Which failures count with this one. A known browser has attempts of its own. Strangers are limited for each IP, for
   * each IP and network at one account, and at one account in all; the last one is so high that locking its owner out
   * takes attackers in ten networks, all the time, and still reaches no known browser.
   */
  async function limitsOf(c: Context, name: string, device: string | undefined): Promise<Policy[]> {
    if (device !== undefined) return [policies.loginDevice(device)];
    const ip = await app.clientIp(c);
    const subject = limitSubject(ip);
    const perIp = policies.loginIp(subject);
    if (name === "") return [perIp];
    return [
      perIp,
      policies.loginUserIp(name, subject),
      policies.loginUserNetwork(name, networkOf(ip)),
      policies.loginUser(name),
    ];
  }

  async function readFields(c: Context): Promise<URLSearchParams> {
    const bytes = await readBody(c.req.raw, BODY_BYTES, app.clock);
    return new URLSearchParams(bytes && new TextDecoder().decode(bytes));
  }

  async function enter(c: Context, user: Parameters<typeof sessions.open>[0], next: string) {
    const from = await fromOf(app, c, user.name);
    const end = await audit.begin({ who: user.name, action: "cfbe_sign_in", from });
    cookies.open(c, await sessions.open(user));
    cookies.setDevice(c, newDevice(keyring, random, user.name));
    await end("done");
    return c.redirect(href(next), 303);
  }

  routes.onError((error, c) => {
    if (!(error instanceof HashingBusy)) throw error;
    c.header("Retry-After", String(error.retryAfterMs / 1000));
    const message = "Too many sign-ins are in progress. Wait a few seconds and try again.";
    return c.html(messagePage({ ...base, title: "Too busy to sign you in", message }), 503);
  });

  routes.get("/login", (c) => {
    const message = cookies.takeFlash(c)?.text;
    return c.html(signInPage({ ...base, next: "", name: "", message }));
  });

  routes.post("/login", async (c) => {
    const sent = await readFields(c);
    const name = (sent.get("name") ?? "").trim().toLowerCase().slice(0, LONGEST_NAME);
    const next = localPath(sent.get("next"));
    const device = deviceOf(keyring, name, cookies.device(c));
    const limits = await limitsOf(c, name, device);
    const password = (sent.get("password") ?? "").slice(0, 1000);
    // All of it runs inside the queue, so that an attempt that finds it full costs no commit either.
    const attempted = await hashes.run(device === undefined ? "stranger" : "known", async () => {
      const counted = await attempt(app, limits);
      if ("retryAfterMs" in counted) return counted;
      const user = await users.verify(name, password);
      if (user) await counted.refund();
      return { user };
    });
    if ("retryAfterMs" in attempted) {
      const wait = Math.ceil(attempted.retryAfterMs / 1000);
      c.header("Retry-After", String(wait));
      const minutes = Math.ceil(wait / 60);
      const problem = `Too many attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
      return c.html(signInPage({ ...base, next, name, problem }), 429);
    }
    if (attempted.user) return await enter(c, attempted.user, next);
    // One entry per hour and existing name, and one for all other names, so that guessing cannot flood the log.
    const who = await users.find(name) ? `someone as ${name}` : "someone under an unknown name";
    const from = await fromOf(app, c, name);
    await audit.count({ who, action: "cfbe_sign_in", result: "refused", from });
    app.log.warn("admin.sign_in_refused", { ip: from.ip });
    return c.html(
      signInPage({ ...base, next, name, problem: "Incorrect name or password." }),
      401,
    );
  });

  const expired = (c: Context) =>
    c.html(
      messagePage({
        ...base,
        title: "This link is no longer valid",
        message: "It works once and expires after a day. Restart cfbe to get a new one.",
      }),
      410,
    );
  const usable = async (token: string) =>
    setUpUsable((await readRow(app.kv, usersKey()))?.setUps, token, app.clock.now());

  routes.get("/set-up", async (c) => {
    const token = c.req.query("token") ?? "";
    return await usable(token) ? c.html(setUpPage({ ...base, token, name: "" })) : expired(c);
  });

  const FirstAdmin = z.object({ name: UserName, password: Password });
  routes.post("/set-up", async (c) => {
    const sent = await readFields(c);
    const token = sent.get("token") ?? "";
    const counted = await attempt(app, await limitsOf(c, "", undefined));
    if ("retryAfterMs" in counted) {
      c.header("Retry-After", String(Math.ceil(counted.retryAfterMs / 1000)));
      return c.html(
        messagePage({ ...base, title: "Too many attempts", message: "Try again in 15 minutes." }),
        429,
      );
    }
    if (!await usable(token)) return expired(c);
    await counted.refund();
    const first = FirstAdmin.safeParse(Object.fromEntries(sent));
    if (!first.success) {
      const name = (sent.get("name") ?? "").slice(0, LONGEST_NAME);
      const { message: problem, fields } = invalid(first.error);
      return c.html(setUpPage({ ...base, token, name, problem, fields }), 422);
    }
    const refused = await users.addFirst({
      ...first.data,
      usable: (rows) => setUpUsable(rows, token, app.clock.now()),
    });
    const user = refused ? undefined : await users.find(first.data.name);
    return user ? await enter(c, user, pages[0]!.path) : expired(c);
  });
  return routes;
}

/** Returns the path in the admin to open after signing in, and never another site. */
function localPath(next: string | null): string {
  return next && /^\/[a-z][\w/-]*(\?[^#]*)?$/i.test(next) ? next : pages[0]!.path;
}

import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Config } from "../../platform/config/config.ts";
import { isLoopback } from "../../platform/config/config.ts";
import { SESSION_MAX_AGE_MS } from "./session.ts";

/** A message shown once, on the next page. */
export interface Flash {
  kind: "done" | "warn" | "wrong";
  text: string;
  /** Where to go on from there: a path of the admin. */
  link?: { text: string; to: string } | undefined;
}

const FLASH_SECONDS = 60;
const FLOW_SECONDS = 10 * 60;
const DEVICE_SECONDS = 180 * 24 * 60 * 60;

export type Cookies = ReturnType<typeof createCookies>;

/**
 * Creates the admin's cookies: `__Host-` and Secure, except on loopback http, where browsers reject those (decision 34).
 * The prefix requires the path `/`, even if the base URL has a path.
 */
export function createCookies({ baseUrl }: Pick<Config, "baseUrl">) {
  const plain = baseUrl.startsWith("http:") && isLoopback(baseUrl);
  const base = { path: "/", httpOnly: true, sameSite: "Lax", secure: !plain } as const;
  const SESSION = plain ? "cfbe" : "__Host-cfbe";
  const FLASH = plain ? "cfbe_flash" : "__Host-cfbe_flash";
  const FLOW = plain ? "cfbe_flow" : "__Host-cfbe_flow";
  const DEVICE = plain ? "cfbe_device" : "__Host-cfbe_device";

  return {
    session: (c: Context) => getCookie(c, SESSION),
    /** Reads the session from a request's headers. */
    sessionOf(headers: Headers): string | undefined {
      const cookies = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      return cookies.find((pair) => pair.startsWith(`${SESSION}=`))?.slice(SESSION.length + 1);
    },
    open: (c: Context, secret: string) =>
      setCookie(c, SESSION, secret, { ...base, maxAge: SESSION_MAX_AGE_MS / 1000 }),
    close: (c: Context) => deleteCookie(c, SESSION, base),
    /** The value from `newDevice`. It stays when the session is closed. */
    device: (c: Context) => getCookie(c, DEVICE),
    setDevice: (c: Context, device: string) =>
      setCookie(c, DEVICE, device, { ...base, maxAge: DEVICE_SECONDS }),
    /** What is remembered while somebody is at the identity provider; see `oidc/flow.ts`. */
    setFlow: (c: Context, flow: string) => setCookie(c, FLOW, flow, { ...base, maxAge: FLOW_SECONDS }),
    /** Returns and deletes it. */
    takeFlow(c: Context): string | undefined {
      const value = getCookie(c, FLOW);
      deleteCookie(c, FLOW, base);
      return value;
    },
    setFlash: (c: Context, flash: Flash) =>
      setCookie(c, FLASH, JSON.stringify(flash), { ...base, maxAge: FLASH_SECONDS }),
    /** Returns and deletes the message. */
    takeFlash(c: Context): Flash | undefined {
      const value = getCookie(c, FLASH);
      if (!value) return undefined;
      deleteCookie(c, FLASH, base);
      try {
        const { kind, text, link } = JSON.parse(value);
        return {
          kind: kind === "wrong" || kind === "warn" ? kind : "done",
          text: String(text).slice(0, 500),
          ...(link && { link: { text: String(link.text), to: String(link.to) } }),
        };
      } catch {
        return undefined;
      }
    },
  };
}

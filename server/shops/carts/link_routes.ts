import type { Context } from "hono";
import { type Cart, CART_FRAGMENT } from "../../../shared/contract.ts";
import { ownContent, ownOrigins } from "./own_content.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Carts } from "./carts.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { Log } from "../../platform/deps.ts";
import { readLink } from "./links.ts";

/** The routes behind the links in a cart reminder. None reveals whose cart it is. */

interface Deps {
  config: Pick<Config, "baseUrl">;
  keyring: Keyring;
  carts: Carts;
  settings: SettingsStore;
}

/**
 * `GET {base_url}/cart/:link`: redirects to the cart's own page, with the link in the fragment, which reaches no server
 * and no referrer. `cfbe.cart.restored()` reads it there. While the module is off, every cart is gone.
 */
export function restoreRoute(app: Deps) {
  return async (c: Context): Promise<Response> => {
    const link = c.req.param("link");
    const cart = app.settings.current().general.modules.carts && await cartOf(app, link);
    if (!cart) {
      return await page(c, 404, app.config, ({ goneTitle, gone }) => ({ title: goneTitle, text: gone }));
    }
    const url = new URL(cart.url);
    url.hash = `${CART_FRAGMENT}=${link}`;
    return c.redirect(url.href, 303);
  };
}

/** `GET {base_url}/cart/:link/items`: returns the cart's content, for the page to restore. */
export function cartItemsRoute(app: Deps) {
  return async (c: Context): Promise<Response> => {
    const cart = await cartOf(app, c.req.param("link"));
    return cart ? c.json(cart) : c.json({ error: "This cart no longer exists." }, 404);
  };
}

/**
 * `GET|POST {base_url}/cart-stop/:link`: opts a mailbox out of reminders. A GET only asks, because email scanners follow
 * every link. A POST, from the page's button or from an email client (RFC 8058), opts out. The link works even after
 * the cart is erased.
 */
export function stopRoute({ config, keyring, carts, log }: Omit<Deps, "settings"> & { log: Log }) {
  return async (c: Context): Promise<Response> => {
    const mailbox = readLink(keyring, "cfbe/cart-stop", c.req.param("link"));
    if (mailbox === undefined) {
      return await page(
        c,
        404,
        config,
        ({ goneTitle, wrongLink }) => ({ title: goneTitle, text: wrongLink }),
      );
    }
    if (c.req.method !== "POST") {
      return await page(
        c,
        200,
        config,
        ({ stopTitle, stop, stopButton }) => ({ title: stopTitle, text: stop, button: stopButton }),
      );
    }
    await carts.optOut(mailbox);
    log.info("cart_mail.stopped");
    return await page(
      c,
      200,
      config,
      ({ stoppedTitle, stopped }) => ({ title: stoppedTitle, text: stopped }),
    );
  };
}

/** Returns a page. What renders it is loaded only now, because few processes need it. */
async function page(...args: Parameters<typeof import("./pages.tsx").page>): Promise<Response> {
  return (await import("./pages.tsx")).page(...args);
}

/** Returns the allowed part of the cart that a link restores. A link never leads to a foreign origin. */
async function cartOf(
  { config, keyring, carts, settings }: Deps,
  link: string | undefined,
): Promise<Cart | undefined> {
  const id = readLink(keyring, "cfbe/cart-link", link);
  const found = id === undefined ? undefined : await carts.find(id);
  return found?.content && ownContent(found.content, ownOrigins(settings.current(), config.baseUrl));
}

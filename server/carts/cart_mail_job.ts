import { z } from "zod";
import { ownContent, ownOrigins } from "./own_content.ts";
import type { Clock, Log } from "../deps.ts";
import type { Cart } from "../../shared/contract.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { Provider, TriggeredMail } from "../provider/port.ts";
import type { SettingsStore } from "../settings/store.ts";
import { isSending, SEND_WINDOW_MS, SEND_WITHIN_MS } from "../mail/sending.ts";
import type { Standing } from "./abandoned.ts";
import { mayMail } from "./audience.ts";
import type { Claim, Claims } from "./claims.ts";
import { signLink } from "./links.ts";
import type { Markers } from "../mail/markers.ts";
import type { JobDefinition, JobResult } from "../jobs/handler.ts";

const Payload = z.object({ cart: z.string() });
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_cart_mail";
const MINUTE_MS = 60_000;

/** The mail of one cart, to be added with each change of it: one that waits stays one. */
export function cartMailJob(cart: string) {
  const payload: Payload = { cart };
  return { id: `cart_mail:${cart}`, name: NAME, payload } as const;
}

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  log: Log;
  keyring: Keyring;
  settings: SettingsStore;
  provider: Provider;
  hooks: Hooks;
  markers: Markers;
  claims: Claims;
  baseUrl: string;
}

/** Reminds somebody of the cart they left: once a cart, and never after its order was acknowledged. */
export function cartMail(options: Options): JobDefinition<Payload> {
  const { clock, log, settings, provider, claims, hooks, baseUrl } = options;

  /** What to do with a cart that gets no mail now. */
  function without(standing: Exclude<Standing, { kind: "send" }>): JobResult {
    if (standing.kind === "wait") {
      return { kind: "snooze", until: standing.until, reason: "The cart changed." };
    }
    return { kind: "cancel", reason: `No mail: ${standing.reason}.` };
  }

  /** An earlier attempt claimed this cart and never said how it went. */
  async function abandon({ cart, at }: Pick<Claim, "cart" | "at">): Promise<JobResult> {
    if (isSending(cart.mail, clock.now())) {
      return { kind: "snooze", until: at + SEND_WINDOW_MS, reason: "A mail may be on its way." };
    }
    await claims.settle({ cart, at }, "unknown");
    log.warn("cart_mail.unknown", { reason: "the attempt never reported back" });
    return { kind: "done" };
  }

  async function send(
    claim: Claim,
    { template, data }: Pick<TriggeredMail, "template" | "data">,
    signal: AbortSignal,
  ): Promise<JobResult> {
    if (signal.aborted || clock.now() - claim.at > SEND_WITHIN_MS) {
      await claims.settle(claim, "released");
      return { kind: "retry", reason: "It came to sending too late." };
    }
    const mail = { template, emails: [claim.email] as const, data };
    const sent = await provider.sendTriggered(mail, signal);
    if (sent.kind === "trouble" && !sent.unknown) {
      await claims.settle(claim, "released");
      return { kind: "retry", reason: sent.reason, retryAfterMs: sent.retryAfterMs };
    }
    await claims.settle(claim, sent.kind === "trouble" ? "unknown" : sent.kind);
    if (sent.kind === "sent") log.info("cart_mail.sent");
    else log.warn(`cart_mail.${sent.kind === "refused" ? "refused" : "unknown"}`, { reason: sent.reason });
    return { kind: "done" };
  }

  return {
    name: NAME,
    payload: Payload,
    async handle(job) {
      const { general, carts } = settings.current();
      if (!general.modules.carts) return { kind: "cancel", reason: "The module is off." };
      const delayMs = carts.delayMinutes * MINUTE_MS;
      const { cart, standing } = await claims.look(job.payload.cart, delayMs);
      if (cart?.mail?.state === "sending") return await abandon({ cart, at: cart.mail.at });
      if (standing.kind === "wait") return without(standing);
      if (standing.kind === "send") {
        if (carts.template === "" || settings.apiKey() === "") {
          return { kind: "retry", reason: "No provider or no template for cart mails is configured." };
        }
        const may = await mayMail({ ...options, settings: settings.current() }, standing.email, job.signal);
        if (may.kind === "trouble") {
          return { kind: "retry", reason: may.reason, retryAfterMs: may.retryAfterMs };
        }
        if (may.kind === "may_not") return { kind: "cancel", reason: `No mail: ${may.reason}.` };
      }
      const { template } = carts;
      const content = cart?.content && ownContent(cart.content, ownOrigins(settings.current(), baseUrl));
      if (standing.kind === "send" && !content) {
        return { kind: "cancel", reason: "No mail: the cart's page is on no allowed origin." };
      }
      const data = standing.kind === "send" && await hooks.filter(
        "cfbe_mail_data",
        mailData(options, { cart: cart!, content: content!, email: standing.email }),
        { kind: "cart", email: standing.email, template },
      );
      // Also for what is over already: what was ordered is erased there.
      const claim = await claims.claim(job.payload.cart, delayMs, job.fence);
      if (claim.kind !== "send") return without(claim);
      // Typed over since the provider was asked: who is there now has not been asked about.
      if (!data || claim.email !== cart!.email || claim.cart.changedAt !== cart!.changedAt) {
        await claims.settle(claim, "released");
        return { kind: "snooze", until: clock.now(), reason: "The cart changed." };
      }
      return await send(claim, { template, data }, job.signal);
    },
  };
}

/** What the template gets. The links come first, so that they are seen wherever data is cut. */
function mailData(
  { baseUrl, keyring, markers }: Options,
  { cart, content, email }: Pick<Claim, "cart" | "email"> & { content: Cart },
): Record<string, unknown> {
  const { items, total, currency } = content;
  const stop = signLink(keyring, "cfbe/cart-stop", markers.mailbox(email));
  return {
    restoreUrl: `${baseUrl}/cart/${signLink(keyring, "cfbe/cart-link", cart.id)}`,
    stopUrl: `${baseUrl}/cart-stop/${stop}`,
    total,
    currency,
    items,
  };
}

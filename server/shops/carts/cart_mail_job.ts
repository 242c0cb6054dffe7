import type { Kv } from "../../platform/kv/port.ts";
import { asSentence, retryRead } from "../../providers/port/trouble.ts";
import { z } from "zod";
import { ownContent, ownOrigins } from "./own_content.ts";
import type { Clock, Log } from "../../platform/deps.ts";
import type { Cart } from "../../../shared/contract.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";
import type { TriggeredMail } from "../../providers/port/mail.ts";
import type { Provider } from "../../providers/port/port.ts";
import type { SignupProviders } from "../../signup/record/provider_of.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { isSending, SEND_WINDOW_MS, SEND_WITHIN_MS } from "../mail/sending.ts";
import type { CartMailDecision } from "./mail_decision.ts";
import { checkAudience } from "./audience.ts";
import type { Claim, Claims } from "./claims.ts";
import { signLink } from "./links.ts";
import { afterErasure, type OpenErasures } from "../mail/after_erasure.ts";
import type { Markers } from "../mail/markers.ts";
import type { JobDefinition, JobResult } from "../../platform/jobs/handler.ts";

const Payload = z.object({ cart: z.string() });
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_cart_mail";
const MINUTE_MS = 60_000;

/** Returns the job of a cart's reminder. Each change of the cart adds it, but there is only one per cart. */
export function cartMailJob(cart: string) {
  const payload: Payload = { cart };
  return { id: `cart_mail:${cart}`, name: NAME, payload } as const;
}

interface Options {
  kv: Kv;
  clock: Clock;
  log: Log;
  keyring: Keyring;
  settings: SettingsStore;
  provider: Provider;
  signupProviders: SignupProviders;
  hooks: Hooks;
  markers: Markers;
  claims: Claims;
  erasures: OpenErasures;
  baseUrl: string;
}

/** Reminds someone of an abandoned cart: once per cart, and never after its order was acknowledged. */
export function cartMail(options: Options): JobDefinition<Payload> {
  const { clock, log, settings, provider, claims, hooks, baseUrl } = options;

  /** Returns the job result for a cart that gets no reminder now. */
  function withoutMail(decision: Exclude<CartMailDecision, { kind: "send" }>): JobResult {
    if (decision.kind === "wait") {
      return { kind: "snooze", until: decision.until, reason: "The cart changed." };
    }
    return { kind: "cancel", reason: `No email: ${asSentence(decision.reason)}` };
  }

  /** Ends the claim of an earlier attempt that has no result. */
  async function endEarlierClaim({ cart, at }: Pick<Claim, "cart" | "at">): Promise<JobResult> {
    if (isSending(cart.mail, clock.now())) {
      return { kind: "snooze", until: at + SEND_WINDOW_MS, reason: "An earlier attempt may be sending it." };
    }
    await claims.settle({ cart, at }, "unknown");
    log.warn("cart_mail.unknown", { reason: "the attempt ended without a result" });
    return { kind: "done" };
  }

  /** Returns the email for a cart, or the job result if it may not or cannot be sent now. */
  async function prepare(
    { cart, email }: Pick<Claim, "cart" | "email">,
    signal: AbortSignal,
  ): Promise<{ kind: "mail" } & Pick<TriggeredMail, "template" | "data"> | JobResult> {
    const { template } = settings.current().carts;
    if (template === "" || settings.apiKey() === "") {
      return { kind: "retry", reason: "No provider or no template for cart reminders is configured." };
    }
    const wait = await afterErasure(options, settings.current().general.provider, email);
    if (wait) return wait;
    const audience = await checkAudience({ ...options, settings: settings.current() }, email, signal);
    if (audience.kind === "trouble") return retryRead(audience);
    if (audience.kind === "denied") {
      return { kind: "cancel", reason: `No email: ${asSentence(audience.reason)}` };
    }
    const content = cart.content && ownContent(cart.content, ownOrigins(settings.current(), baseUrl));
    if (!content) {
      return { kind: "cancel", reason: "No email: the cart's page is not on an allowed origin." };
    }
    const data = await hooks.filter(
      "cfbe_mail_data",
      mailData(options, { cart, content, email }),
      { kind: "cart", email, template },
    );
    return { kind: "mail", template, data };
  }

  async function send(
    claim: Claim,
    { template, data }: Pick<TriggeredMail, "template" | "data">,
    signal: AbortSignal,
  ): Promise<JobResult> {
    if (signal.aborted || clock.now() - claim.at > SEND_WITHIN_MS) {
      await claims.settle(claim, "released");
      return { kind: "retry", reason: "Too much time passed before sending." };
    }
    const mail = { template, emails: [claim.email] as const, data };
    const sent = await provider.sendTriggered(mail, signal);
    if (sent.kind === "trouble" && !sent.unknown) {
      await claims.settle(claim, "released");
      return { ...sent, kind: "retry" };
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
      const { cart, decision } = await claims.peek(job.payload.cart, delayMs);
      if (cart?.mail?.state === "sending") return await endEarlierClaim({ cart, at: cart.mail.at });
      if (decision.kind === "wait") return withoutMail(decision);
      const prepared = decision.kind === "send"
        ? await prepare({ cart: cart!, email: decision.email }, job.signal)
        : undefined;
      if (prepared && prepared.kind !== "mail") return prepared;
      // Even if there will be no email: this erases a cart that was ordered.
      const claim = await claims.claim(job.payload.cart, delayMs, job.fence);
      if (claim.kind !== "send") return withoutMail(claim);
      // The cart changed after the provider was asked, perhaps to an address that it was not asked about.
      if (!prepared || claim.email !== cart!.email || claim.cart.changedAt !== cart!.changedAt) {
        await claims.settle(claim, "released");
        return { kind: "snooze", until: clock.now(), reason: "The cart changed." };
      }
      return await send(claim, prepared, job.signal);
    },
  };
}

/** Returns the template's data. The links come first, so that they are visible where a list cuts the data off. */
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

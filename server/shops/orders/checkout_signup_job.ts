import { z } from "zod";
import type { Log } from "../../platform/deps.ts";
import type { Counters } from "../../platform/observe/counters.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { counterEntryOf } from "../../signup/subscribe/reply.ts";
import { consentHash } from "../../forms/consent_texts.ts";
import type { SignupService } from "../../signup/subscribe/service.ts";
import type { Markers } from "../mail/markers.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";

const Payload = z.object({
  /** HMAC of the order's ID. */
  order: z.string(),
  email: z.string(),
  locale: z.string(),
  ip: z.string().nullable(),
  /** The text beside the box. The setting may have changed since. */
  label: z.string(),
});
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_checkout_signup";
const UNKNOWN_LOCALE = "und";

/** Returns the job that signs up a buyer who opted in. */
export function checkoutSignupJob(
  order: string,
  { email, label, locale, ip }: {
    email: string;
    label: string;
    locale?: string | undefined;
    ip?: string | undefined;
  },
) {
  const payload: Payload = { order, email, label, locale: locale ?? UNKNOWN_LOCALE, ip: ip ?? null };
  return { id: `checkout_signup:${order}`, name: NAME, payload } as const;
}

interface Options {
  log: Log;
  counters: Counters;
  settings: SettingsStore;
  signups: SignupService;
  markers: Markers;
}

/**
 * Passes a checkout's opt-in to the signup service. The order is already acknowledged, so a signup over the mailbox limit
 * is only counted and logged. It is not retried, because three signups of that mailbox are in progress. While no provider
 * is configured, the job is retried for three days and then fails permanently; an admin can retry it.
 */
export function checkoutSignup(
  { log, counters, settings, signups, markers }: Options,
): JobDefinition<Payload> {
  return {
    name: NAME,
    payload: Payload,
    afterRetention: (payload) => ({ ...payload, ip: null }),
    async handle({ payload: { order, email, label, locale, ip }, fence }) {
      const { general, checkout } = settings.current();
      const list = checkout.list || general.defaultList;
      if (settings.apiKey() === "" || list === "") {
        return { kind: "retry", reason: "No provider or no list is configured." };
      }
      const admission = await signups.accept(
        {
          email,
          list,
          provider: general.provider,
          tags: [],
          source: "checkout",
          consent: {
            given: true,
            ...(label !== "" && { textHash: consentHash(label), newTexts: [label] }),
            locale,
            ip,
          },
        },
        [],
        { once: markers.orderSignup(order), fence },
      );
      counters.count("checkout", counterEntryOf(admission));
      if (admission.kind === "limited") log.warn("checkout_signup.rejected", { by: admission.by });
      return { kind: "done" };
    },
  };
}

import { z } from "zod";
import type { Log } from "../deps.ts";
import type { Counters } from "../observe/counters.ts";
import type { SettingsStore } from "../settings/store.ts";
import { counterEntryOf } from "../signup/reply.ts";
import { consentHash } from "../signup/record/consent_text.ts";
import type { SignupService } from "../signup/service.ts";
import type { Markers } from "../mail/markers.ts";
import type { JobDefinition } from "../jobs/handler.ts";

const Payload = z.object({
  /** HMAC of the order's id. */
  order: z.string(),
  email: z.string(),
  locale: z.string(),
  ip: z.string().nullable(),
  /** What the box said when it was ticked: the setting may say something else by now. */
  label: z.string(),
});
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_checkout_signup";
const UNKNOWN_LOCALE = "und";

/** The signup of whoever ticked the box, to be added in the commit that takes the order over. */
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
 * Hands a checkout's opt-in to the signup service, like any other source. The order has long been acknowledged: a
 * refusal by the mailbox's limit is counted and logged, and final, for three signups of that mailbox are under way.
 * While no provider is configured the signup waits as every job does, three days, and then lies in the dead list,
 * from which an admin can send it again.
 */
export function checkoutSignup(
  { log, counters, settings, signups, markers }: Options,
): JobDefinition<Payload> {
  return {
    name: NAME,
    payload: Payload,
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
          tags: [],
          source: "checkout",
          consent: {
            given: true,
            ...(label !== "" && { textHash: consentHash(label), newText: label }),
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

import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { SignupProviders } from "../record/provider_of.ts";
import { createEventHandler } from "./handle_events.ts";
import { IDENTIFY_JOB, IdentifyPayload } from "./identify_payload.ts";
import { retryRead } from "../../providers/port/trouble.ts";

interface Options {
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  signupProviders: SignupProviders;
}

/**
 * Looks up the address of a subscriber whom a webhook call named only by the provider's ID, and then does what a call with
 * the address would have done.
 */
export function identifySubscriber(options: Options): JobDefinition<z.output<typeof IdentifyPayload>> {
  // The job runs only while cfbe is active, and the runner finds the new jobs by itself.
  const handleEvents = createEventHandler({
    ...options,
    activation: { isActive: () => true },
    wake: () => {},
  });
  return {
    name: IDENTIFY_JOB,
    payload: IdentifyPayload,
    async handle({ payload: { provider: name, id, list, change }, signal }) {
      const provider = options.signupProviders.named(name);
      if (!provider?.emailOf) return { kind: "cancel", reason: "The provider can no longer be asked." };
      const found = await provider.emailOf({ id, ...(list !== undefined && { list }) }, signal);
      if (found.kind === "trouble") return retryRead(found);
      if (found.kind === "absent") {
        return { kind: "cancel", reason: "The provider no longer has the subscriber." };
      }
      const { email } = found;
      const event = { kind: "subscription", email, ...(list !== undefined && { list }), change } as const;
      const action = await handleEvents([event], name);
      options.log.info("webhook.identified", { action });
      return { kind: "done" };
    },
  };
}

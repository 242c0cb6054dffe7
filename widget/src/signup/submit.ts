/** The request of a signup, and what to make of any answer to it. */
import type { Answer, SubscribeRequest } from "../../../shared/contract.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Ask } from "../host/context.ts";

/**
 * Sends a signup (contract 4.14 to 4.18). Never rejects: whatever stands between the visitor and the server (no network,
 * a gateway's HTML, silence) becomes an answer that says so in the visitor's words.
 *
 * @param body makes what to send; asked for here so that a token which can't be had is an answer as well
 */
export async function send(
  ask: Ask,
  { texts, locale }: PublicSettings,
  body: () => Promise<SubscribeRequest>,
): Promise<Answer> {
  let limited = false;
  try {
    const [status, json] = await ask(`${NAMESPACE}/subscribe`, {
      method: "POST",
      // The locale of the texts on show: the server answers in it, and records the consent text in it.
      headers: { "Content-Type": "application/json", "Accept-Language": locale },
      body: JSON.stringify(await body()),
    });
    const answer = json as Answer | undefined;
    if (typeof answer?.message === "string" && typeof answer.success === "boolean") return answer;
    limited = status === 429;
  } catch {
    // Told below.
  }
  return {
    success: false,
    code: limited ? "rate_limited" : "rejected",
    message: limited ? texts.rateLimited : navigator.onLine ? texts.error : texts.offline,
  };
}

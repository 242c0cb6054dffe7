import type { SubscribeRequest, SubscribeResponse } from "../../../shared/contract.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { FetchJson } from "../host/context.ts";

/**
 * Sends a signup (contract 4.14 to 4.18). Never rejects: a missing network connection, a timeout or a gateway's HTML
 * becomes a response with a message for the visitor.
 *
 * @param body returns the request body; its errors become such a response as well
 */
export async function sendSignup(
  fetchJson: FetchJson,
  { texts, locale }: PublicSettings,
  body: () => Promise<SubscribeRequest>,
): Promise<SubscribeResponse> {
  let rateLimited = false;
  try {
    const [status, json] = await fetchJson(`${NAMESPACE}/subscribe`, {
      method: "POST",
      // The locale of the texts on the page. The server replies in it, and records the consent text in it.
      headers: { "Content-Type": "application/json", "Accept-Language": locale },
      body: JSON.stringify(await body()),
    });
    const response = json as SubscribeResponse | undefined;
    if (typeof response?.message === "string" && "success" in response) return response;
    rateLimited = status === 429;
  } catch {
    // Reported below.
  }
  return {
    success: false,
    code: rateLimited ? "rate_limited" : "rejected",
    message: rateLimited ? texts.rateLimited : navigator.onLine ? texts.error : texts.offline,
  };
}

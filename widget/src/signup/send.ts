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
  { texts, locale, asText }: PublicSettings,
  body: () => Promise<SubscribeRequest>,
): Promise<SubscribeResponse> {
  let rateLimited = false;
  try {
    const json = JSON.stringify(await body());
    const send = (asText?: boolean) =>
      fetchJson(`${NAMESPACE}/subscribe`, {
        method: "POST",
        // The locale of the texts on the page. The server replies in it, and records the consent text in it.
        headers: { "Accept-Language": locale, ...!asText && { "Content-Type": "application/json" } },
        body: json,
      }) as Promise<[number, SubscribeResponse | undefined]>;
    let [status, response] = await send(asText);
    // No field is wrong, so it is the content type: the allowed origins have changed since the page was loaded.
    if (asText && status === 400 && !Object.keys(response!.fields!)[0]) [status, response] = await send();
    if (typeof response?.message === "string" && "success" in response) return response;
    rateLimited = status === 429;
  } catch {
    // Reported below.
  }
  return {
    success: false,
    code: rateLimited ? "rate_limited" : "rejected",
    message: texts[rateLimited ? "rateLimited" : navigator.onLine ? "error" : "offline"],
  };
}

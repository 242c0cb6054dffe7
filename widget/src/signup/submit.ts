/** The two requests of a signup, and what to make of any answer to them. */
import type { Answer, FormToken, SubscribeRequest } from "../../../shared/contract.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";

const TIMEOUT_MS = 15_000;

/** Gives up after a while: a request that never ends would leave the visitor without a word. */
async function ask(url: string, init: RequestInit): Promise<Response> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(url, { ...init, cache: "no-store", signal: controller.signal });
    // The body counts, too: it may stall.
    return new Response(await response.text(), { status: response.status });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Fetches a fill-time token (contract §4.2).
 *
 * @param base address of the server's root
 */
export async function fetchToken(base: string): Promise<string> {
  const { token }: FormToken = await (await ask(`${base}${NAMESPACE}/form-token`, {})).json();
  if (typeof token !== "string") throw new TypeError("no token");
  return token;
}

/**
 * Sends a signup (contract §4.1). Never rejects: whatever stands between the visitor and the server (no network,
 * a gateway's HTML, silence) becomes an answer that says so in the visitor's words.
 *
 * @param body makes what to send; asked for here so that a token which can't be had is an answer as well
 */
export async function send(
  base: string,
  settings: PublicSettings,
  body: () => Promise<SubscribeRequest>,
): Promise<Answer> {
  const { texts, locale } = settings;
  const failed = (code: Answer["code"], message: string): Answer => ({ success: false, code, message });
  try {
    const response = await ask(`${base}${NAMESPACE}/subscribe`, {
      method: "POST",
      // The locale of the texts on show: the server answers in it, and records the consent text in it.
      headers: { "Content-Type": "application/json", "Accept-Language": locale },
      body: JSON.stringify(await body()),
    });
    const answer: Answer | null = await response.json().catch(() => null);
    if (typeof answer?.message === "string" && typeof answer.success === "boolean") return answer;
    return response.status === 429
      ? failed("rate_limited", texts.rateLimited)
      : failed("rejected", texts.error);
  } catch {
    return failed("rejected", navigator.onLine ? texts.error : texts.offline);
  }
}

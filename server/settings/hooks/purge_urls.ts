import type { Clock, Log } from "../../platform/deps.ts";
import { exchange } from "../../platform/http/outbound.ts";
import { transport } from "../../platform/http/outbound/transport.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { PurgeEvent } from "./types.ts";

const TIMEOUT_MS = 10_000;
/** Limit for a response, which is short and not used. */
const BODY_BYTES = 64 * 1024;

/**
 * Requests every URL that empties a page cache, signed for the receiver to verify: `X-CFBE-Signature` signs the time in
 * `X-CFBE-Timestamp` (Unix seconds), a dot and the body. Each failure is logged and does not stop the others.
 */
export async function requestPurges(
  urls: readonly string[],
  event: PurgeEvent,
  { keyring, clock, log }: { keyring: Keyring; clock: Clock; log: Pick<Log, "warn"> },
): Promise<void> {
  const body = JSON.stringify(event);
  const time = String(Math.floor(clock.now() / 1000));
  const headers = {
    "content-type": "application/json",
    "x-cfbe-timestamp": time,
    "x-cfbe-signature": keyring.sign("cfbe/purge", `${time}.${body}`),
  };
  const ends = await Promise.all(urls.map((url) =>
    exchange(
      transport,
      { method: "POST", url, headers, body },
      { timeoutMs: TIMEOUT_MS, bodyBytes: BODY_BYTES },
    )
  ));
  for (const [at, ended] of ends.entries()) {
    if (ended.kind === "answered" && ended.status >= 200 && ended.status < 300) continue;
    // Not the rest of the URL, which may contain a secret.
    log.warn("purge.failed", {
      host: URL.parse(urls[at]!)?.host,
      detail: ended.kind === "answered" ? `HTTP ${ended.status}` : ended.detail,
    });
  }
}

import { codeOfStatus } from "../http/outbound/failure.ts";
import type { Trouble, TroubleCode } from "./trouble.ts";

/** Whether the call changes data. Only then can an unclear response hide an effect. */
export type Effect = "reads" | "writes";

/** The common parts of the adapters' responses. */
type Response =
  /** No usable response. `unknown` if the request may have taken effect. */
  | { kind: "failed"; code: TroubleCode; reason: string; unknown: boolean }
  | { kind: "error"; status: number; retryAfterMs?: number }
  /** A success that does not say what the call needs to know. */
  | { kind: "ok" | "queued" };

/**
 * Returns the trouble for a response that does not say what the call needs to know. Its reason contains nothing from the
 * response but the status.
 *
 * @param provider the provider's display name
 * @param isOwn whether the body of an error was the provider's own. Without it, even a 4xx may come from a proxy
 * @param code what the status alone does not say
 */
export function responseTrouble(
  provider: string,
  response: Response,
  { effect, isOwn, code }: { effect: Effect; isOwn: boolean; code?: TroubleCode | undefined },
): Trouble {
  if (response.kind === "failed") {
    const { code, reason, unknown } = response;
    return { kind: "trouble", code, reason, unknown: unknown && effect === "writes" };
  }
  if (response.kind !== "error") {
    const reason = `${provider} sent a response that its documentation does not describe`;
    return { kind: "trouble", code: "unexpected", reason, unknown: effect === "writes" };
  }
  const { status, retryAfterMs } = response;
  // Only 403 and 429 are unambiguous, whoever sent them.
  const isForeign = !isOwn && status !== 403 && status !== 429;
  return {
    kind: "trouble",
    code: code ?? codeOfStatus(status),
    reason: `HTTP ${status} from ${provider}`,
    unknown: effect === "writes" && (status >= 500 || (isForeign && status >= 400)),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

import { codeOfStatus } from "../../platform/http/outbound/failure.ts";
import type { JsonResponse } from "./json_response.ts";
import type { Trouble, TroubleCode } from "../port/trouble.ts";

/** Whether the call changes data. Only then can an unclear response hide an effect. */
export type Effect = "reads" | "writes";

/** Returns why a call was refused: the status, because the texts of other servers are not shown. */
export function rejectedBy(provider: string, { status }: { status: number }): string {
  return `${provider} rejected the request (HTTP ${status})`;
}

/**
 * Returns the trouble for a response that does not say what the call needs to know. Its reason contains nothing from the
 * response but the status.
 *
 * @param provider the provider's display name
 * @param code what the status alone does not say
 */
export function responseTrouble(
  provider: string,
  response: JsonResponse<unknown, unknown>,
  effect: Effect,
  code?: TroubleCode,
): Trouble {
  if (response.kind === "failed") {
    const { code, reason, unknown } = response;
    return { kind: "trouble", code, reason, unknown: unknown && effect === "writes" };
  }
  if (response.kind === "ok") {
    const reason = `${provider} sent a response that its documentation does not describe`;
    return { kind: "trouble", code: "unexpected", reason, unknown: effect === "writes" };
  }
  const { status, problem, retryAfterMs } = response;
  // Without the provider's own body, even a 4xx may come from a proxy; only 403 and 429 are unambiguous.
  const isForeign = problem === undefined && status !== 403 && status !== 429;
  return {
    kind: "trouble",
    code: code ?? codeOfStatus(status),
    reason: `HTTP ${status} from ${provider}`,
    unknown: effect === "writes" && (status >= 500 || (isForeign && status >= 400)),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

import { z } from "zod";
import { isOwnError, skewOf } from "../../http/json_response.ts";
import type { ConnectionResult } from "../../port/port.ts";
import type { BluefoxResponse } from "./http.ts";
import { forbiddenCauses, trouble } from "./results.ts";

const projectShape = z.object({
  name: z.string().catch(""),
  status: z.string().catch(""),
  restricted: z.boolean().catch(false),
  restrictedReason: z.string().optional().catch(undefined),
  whiteList: z.array(z.string()).catch([]),
});

/** Returns the result of a connection test from the response about the project. */
export function connectionResult(response: BluefoxResponse): ConnectionResult {
  const skew = skewOf(response);
  if (response.kind === "error" && (response.status === 401 || response.status === 403)) {
    const message = response.problem ?? "";
    return {
      kind: "forbidden",
      message: `HTTP ${response.status}`,
      likely: forbiddenCauses(message),
      ...skew,
    };
  }
  if (isOwnError(response, 404)) {
    return { kind: "absent", ...skew };
  }
  const found = response.kind === "ok" ? projectShape.safeParse(response.body).data : undefined;
  if (!found) return trouble(response, "reads");
  const { restrictedReason, ...rest } = found;
  return { kind: "connected", ...rest, ...(restrictedReason ? { restrictedReason } : {}), ...skew };
}

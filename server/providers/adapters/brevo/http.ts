import { z } from "zod";
import { type ClientOptions, type JsonApi, jsonClient, type Send } from "../../http/json_client.ts";
import type { JsonError, JsonResponse } from "../../http/json_response.ts";

/** What Brevo says about an error. `message` may contain an email address: it is only compared, and never part of a reason. */
export interface Problem {
  code: string;
  message: string;
}

/** The body is undefined without JSON: Brevo answers most changes with an empty 201 or 204. */
export type BrevoResponse = JsonResponse<unknown, Problem>;
export type BrevoError = JsonError<Problem>;
export type BrevoSend = Send<unknown, Problem>;

/** Source: developers.brevo.com, pages "Authentication", "Rate limit headers" and "Error codes". */
const API: JsonApi<unknown, Problem> = {
  name: "Brevo",
  credential: "API key",
  malformedUrl: "the provider's URL is malformed",
  authorization: (key) => ({ "api-key": key }),
  // A page of 100 contacts with all their attributes is far below this.
  bodyBytes: 2 * 1024 * 1024,
  success: ({ json, headers }) =>
    json !== undefined || !hasForeignBody(headers) ? { success: true, data: json } : { success: false },
  problem: z.object({ code: z.string().max(60), message: z.string().catch("") }),
};

export const brevoClient = (options: ClientOptions): BrevoSend => jsonClient(API, options);

/** Returns whether a body that is not JSON came from somebody else, such as the sign-in page of a network. */
function hasForeignBody(headers: Headers): boolean {
  const type = headers.get("content-type") ?? "";
  return type !== "" && !/\bjson\b/i.test(type);
}

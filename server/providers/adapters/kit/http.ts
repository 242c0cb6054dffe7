import { z } from "zod";
import { type ClientOptions, type JsonApi, jsonClient, type Send } from "../../http/json_client.ts";
import { isOwnError, type JsonResponse } from "../../http/json_response.ts";
import { type Effect, responseTrouble } from "../../http/response_trouble.ts";
import type { Trouble } from "../../port/trouble.ts";

/** A 2xx has a JSON object. The texts of an error may contain an address, so they appear in no reason. */
export type KitResponse = JsonResponse<Record<string, unknown>, string[]>;
export type KitSend = Send<Record<string, unknown>, string[]>;

const success = z.record(z.string(), z.unknown());

/** Source: developers.kit.com/api-reference, "Authentication" and "API response codes". */
const API: JsonApi<Record<string, unknown>, string[]> = {
  name: "Kit",
  credential: "API key",
  malformedUrl: "Kit's URL is malformed",
  authorization: (key) => ({ "x-kit-api-key": key }),
  // A page of 500 subscribers with long referrers is far below this.
  bodyBytes: 2 * 1024 * 1024,
  success: ({ json }) => success.safeParse(json),
  problem: z.object({ errors: z.array(z.string()) }).transform(({ errors }) => errors),
};

export const kitClient = (options: ClientOptions): KitSend => jsonClient(API, options);

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: KitResponse, effect: Effect): Trouble {
  const limit = response.kind === "error" && response.status === 403 &&
    response.problem?.some((text) => /\bsubscriber limit\b/i.test(text));
  if (limit) {
    return { kind: "trouble", code: "account", reason: "Kit's subscriber limit is reached", unknown: false };
  }
  return responseTrouble("Kit", response, effect);
}

/** Returns whether Kit itself reports that an ID in the path does not exist. */
export function isMissing(response: KitResponse): boolean {
  return isOwnError(response, 404);
}

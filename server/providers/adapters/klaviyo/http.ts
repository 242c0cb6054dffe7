import { z } from "zod";
import {
  type ClientOptions,
  type JsonApi,
  jsonClient,
  type JsonRequest,
  type Send,
} from "../../http/json_client.ts";
import type { JsonResponse } from "../../http/json_response.ts";
import { type Effect, responseTrouble } from "../../http/response_trouble.ts";
import type { Trouble } from "../../port/trouble.ts";

/** The version of the API, which Klaviyo supports for two years. */
const REVISION = "2026-07-15";

/** A JSON:API document. Its `data` is undefined if Klaviyo queued a job. */
export type Document = { data: unknown } & Record<string, unknown>;

/** What is wrong with a request. Its texts may contain an address, so only the position is kept. */
export interface Problem {
  /** Pointer to the request's member, such as `/data/attributes/email`; empty if there is none. */
  pointer: string;
}

export interface KlaviyoRequest extends JsonRequest {
  /** Whether Klaviyo only queues the request and responds with 202 and no document. Any other response is an error. */
  isJob?: true;
}

export type KlaviyoResponse = JsonResponse<Document, Problem[]>;
export type KlaviyoSend = Send<Document, Problem[], KlaviyoRequest>;

const success = z.looseObject({ data: z.unknown() }).refine(({ data }) => data !== undefined);
const failure = z.object({
  errors: z.array(z.object({
    source: z.object({ pointer: z.string() }).optional().catch(undefined),
  })),
}).transform(({ errors }) => errors.map(({ source }): Problem => ({ pointer: source?.pointer ?? "" })));

/** Source: developers.klaviyo.com/en/reference/api_overview. */
const API: JsonApi<Document, Problem[], KlaviyoRequest> = {
  name: "Klaviyo",
  credential: "API key",
  malformedUrl: "Klaviyo's URL is malformed",
  authorization: (key) => ({ authorization: `Klaviyo-API-Key ${key}` }),
  headers: { revision: REVISION },
  mediaType: "application/vnd.api+json",
  // A page of 100 profiles with many properties is below this.
  bodyBytes: 4 * 1024 * 1024,
  success({ status, json }, { isJob }) {
    if (!isJob) return success.safeParse(json);
    return status === 202 ? { success: true, data: { data: undefined } } : { success: false };
  },
  problem: failure,
};

export const klaviyoClient = (options: ClientOptions): KlaviyoSend => jsonClient(API, options);

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: KlaviyoResponse, effect: Effect): Trouble {
  return responseTrouble("Klaviyo", response, effect);
}

/** Returns whether Klaviyo rejects the address in the request as invalid. */
export function rejectsEmail(response: KlaviyoResponse): boolean {
  return response.kind === "error" && response.status === 400 &&
    (response.problem ?? []).some(({ pointer }) => pointer.endsWith("/email"));
}

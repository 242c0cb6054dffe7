import { z } from "zod";
import { type ClientOptions, type JsonApi, jsonClient, type Send } from "../../http/json_client.ts";
import type { JsonResponse } from "../../http/json_response.ts";

/** The body of a 2xx is what the provider wraps in `result`; the problem is its message, which appears in no reason. */
export type BluefoxResponse = JsonResponse<unknown, string>;
export type BluefoxSend = Send<unknown, string>;

const success = z.object({ result: z.unknown(), error: z.undefined().optional() })
  .refine(({ result }) => result !== undefined).transform(({ result }) => result);

/** Source: the documentation's pages "Authentication" and "Response format". */
const API: JsonApi<unknown, string> = {
  name: "the provider",
  credential: "API key",
  malformedUrl: "the provider's URL or the list ID is malformed",
  authorization: (key) => ({ authorization: `Bearer ${key}` }),
  // A page of 30 subscribers with all their custom fields is far below this.
  bodyBytes: 1024 * 1024,
  success: ({ json }) => success.safeParse(json),
  problem: z.object({ error: z.object({ message: z.string().catch("") }) })
    .transform(({ error }) => error.message),
};

export const bluefoxClient = (options: ClientOptions): BluefoxSend => jsonClient(API, options);

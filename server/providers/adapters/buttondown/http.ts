import { z } from "zod";
import { type ClientOptions, type JsonApi, jsonClient, type Send } from "../../http/json_client.ts";
import { isOwnError, type JsonResponse } from "../../http/json_response.ts";
import { type Effect, responseTrouble } from "../../http/response_trouble.ts";
import type { Trouble, TroubleCode } from "../../port/trouble.ts";

/** What Buttondown says about an error. Its texts may contain an address, so they are not read. */
export interface Problem {
  /** Empty if the error has none. */
  code: string;
  /** The invalid members of the request. */
  members: string[];
}

/** The body is undefined without JSON: a deletion and a reminder have an empty response. */
export type ButtondownResponse = JsonResponse<unknown, Problem>;
export type ButtondownSend = Send<unknown, Problem>;

const invalid = z.object({ loc: z.array(z.union([z.string(), z.number()])).catch([]) });

/** Source: docs.buttondown.com, pages "Authentication", "Versioning" and "API error codes". */
const API: JsonApi<unknown, Problem> = {
  name: "Buttondown",
  credential: "API key",
  malformedUrl: "Buttondown's URL is malformed",
  authorization: (key) => ({ authorization: `Token ${key}` }),
  headers: { "x-api-version": "2026-04-01" },
  // A page of 100 subscribers with all their metadata is far below this.
  bodyBytes: 2 * 1024 * 1024,
  success: ({ json, headers }) =>
    json !== undefined || !headers.has("content-type") ? { success: true, data: json } : { success: false },
  problem: z.object({
    code: z.string().max(60).catch(""),
    detail: z.union([z.string(), z.array(invalid)]),
  }).transform(({ code, detail }) => ({
    code,
    members: Array.isArray(detail) ? detail.map(({ loc }) => String(loc.at(-1) ?? "")) : [],
  })),
};

/** IDs of newsletters are UUIDs, or have a prefix such as `news_`. They become part of a header. */
const ID = /^[\w-]{1,100}$/;

const MALFORMED_ID = {
  kind: "failed",
  code: "not_configured",
  reason: "the newsletter's ID is malformed",
  unknown: false,
} as const;

/**
 * Returns a function that returns the client for a newsletter. Without an ID, the client uses the newsletter of the key. A
 * newsletter that the key does not reach gets a 401, and no other one is used in its place.
 */
export function buttondownClients(options: ClientOptions): (newsletter?: string) => ButtondownSend {
  return (newsletter) => {
    if (newsletter === undefined) return jsonClient(API, options);
    if (!ID.test(newsletter)) return () => Promise.resolve(MALFORMED_ID);
    const headers = { ...API.headers, "buttondown-context": newsletter };
    return jsonClient({ ...API, headers }, options);
  };
}

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: ButtondownResponse, effect: Effect, code?: TroubleCode): Trouble {
  return responseTrouble("Buttondown", response, effect, code);
}

/** Returns whether Buttondown itself reports that there is no such person. */
export function isMissing(response: ButtondownResponse): boolean {
  return isOwnError(response, 404);
}

import { z } from "zod";
import { type ClientOptions, type JsonApi, jsonClient, type Send } from "../../http/json_client.ts";
import { isOwnError, type JsonResponse } from "../../http/json_response.ts";
import { type Effect, responseTrouble } from "../../http/response_trouble.ts";
import type { Trouble } from "../../port/trouble.ts";

/** An object with `data`, as every 2xx of MailerLite has it. */
export type MailerliteBody = { data: unknown } & Record<string, unknown>;

/** What MailerLite says about an error. The texts may contain an address, so they appear in no reason. */
export interface Problem {
  message: string;
  /** Texts about the request's members, by their names, such as `groups.0`. */
  errors: Record<string, string[]>;
}

export type MailerliteResponse = JsonResponse<MailerliteBody, Problem>;
export type MailerliteSend = Send<MailerliteBody, Problem>;

const success = z.looseObject({ data: z.unknown() }).refine(({ data }) => data !== undefined);

/** Source: developers.mailerlite.com/docs, "Getting started". */
const API: JsonApi<MailerliteBody, Problem> = {
  name: "MailerLite",
  credential: "API token",
  malformedUrl: "MailerLite's URL or the group's ID is malformed",
  authorization: (key) => ({ authorization: `Bearer ${key}` }),
  headers: { "content-type": "application/json" },
  // A page of 100 groups or 50 subscribers with many fields is far below this.
  bodyBytes: 2 * 1024 * 1024,
  success: ({ json }) => success.safeParse(json),
  problem: z.object({
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())).catch({}),
  }),
};

export const mailerliteClient = (options: ClientOptions): MailerliteSend => jsonClient(API, options);

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: MailerliteResponse, effect: Effect): Trouble {
  return responseTrouble("MailerLite", response, effect);
}

/** Returns whether MailerLite itself reports a missing record. A missing route means that the URL is wrong. */
export function isMissing(response: MailerliteResponse): boolean {
  return isOwnError(response, 404) &&
    !/^the route\b/i.test(response.problem.message);
}

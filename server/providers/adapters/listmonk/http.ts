import { z } from "zod";
import { type ClientOptions, type JsonApi, jsonClient, type Send } from "../../http/json_client.ts";
import type { JsonResponse } from "../../http/json_response.ts";
import { type Effect, responseTrouble } from "../../http/response_trouble.ts";
import type { Trouble } from "../../port/trouble.ts";

/** The body of a 2xx is what listmonk wraps in `data`; the problem is listmonk's message, which appears in no reason. */
export type ListmonkResponse = JsonResponse<unknown, string>;
export type ListmonkSend = Send<unknown, string>;

export interface ListmonkOptions extends Omit<ClientOptions, "baseUrl" | "apiKey"> {
  /** URL of listmonk; may contain a path. */
  baseUrl: () => string;
  /** `user:token` of an API user. */
  token: () => string;
}

const success = z.object({ data: z.unknown() }).refine(({ data }) => data !== undefined)
  .transform(({ data }) => data);

/** Source: listmonk.app/docs/apis. */
const API: JsonApi<unknown, string> = {
  name: "listmonk",
  credential: "API token",
  malformedUrl: "listmonk's URL is missing or malformed",
  authorization: (token) => ({ authorization: `token ${token}` }),
  // A page of 50 subscribers with their attributes is far below this.
  bodyBytes: 2 * 1024 * 1024,
  success: ({ json }) => success.safeParse(json),
  problem: z.object({ message: z.string() }).transform(({ message }) => message),
};

export function listmonkClient(options: ListmonkOptions): ListmonkSend {
  const baseUrl = () => `${options.baseUrl().replace(/\/+$/, "")}/api`;
  return jsonClient(API, { ...options, baseUrl, apiKey: options.token });
}

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: ListmonkResponse, effect: Effect): Trouble {
  const found = responseTrouble("listmonk", response, effect);
  if (response.kind === "ok") {
    return { ...found, reason: "a response that listmonk's documentation does not describe" };
  }
  if (response.kind === "failed") return found;
  const known = knownProblem(response.problem ?? "");
  return known === undefined ? found : { ...found, reason: `HTTP ${response.status}: ${known}` };
}

/** Returns what a message of listmonk says, in words of our own. Any other message is not shown. */
function knownProblem(message: string): string | undefined {
  // PostgreSQL's own words for a list that was deleted.
  if (/foreign key constraint/.test(message)) return "the list does not exist at listmonk";
  const [, permission] = /^permission denied: ([a-z_]{1,40}:[a-z_]{1,40})$/.exec(message) ?? [];
  return permission && `permission denied: ${permission}`;
}

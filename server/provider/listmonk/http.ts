import { z } from "zod";
import { type ClientOptions, type JsonApi, jsonClient, type Send } from "../json_client.ts";
import type { JsonResponse } from "../json_response.ts";
import { type Effect, responseTrouble } from "../response_trouble.ts";
import type { Trouble } from "../trouble.ts";

/** The body of a 2xx is what listmonk wraps in `data`; the problem is listmonk's message. It contains no address. */
export type ListmonkResponse = JsonResponse<unknown, string>;
export type ListmonkSend = Send<unknown, string>;

export interface ListmonkOptions extends Omit<ClientOptions, "baseUrl" | "apiKey"> {
  /** URL of listmonk; may contain a path. */
  baseUrl: () => string;
  /** `user:token` of an API user. */
  token: () => string;
}

const MESSAGE_CAP = 300;

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
  problem: z.object({ message: z.string() }).transform(({ message }) => plain(message)),
};

export function listmonkClient(options: ListmonkOptions): ListmonkSend {
  const baseUrl = () => `${options.baseUrl().replace(/\/+$/, "")}/api`;
  return jsonClient(API, { ...options, baseUrl, apiKey: options.token });
}

/** Returns the message on one line, shortened, and without the addresses that listmonk puts into some. */
function plain(message: string): string {
  return message.replace(/\S+@\S+/g, "…").replace(/\p{Cc}+/gu, " ").trim().slice(0, MESSAGE_CAP);
}

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: ListmonkResponse, effect: Effect): Trouble {
  const found = responseTrouble("listmonk", response, effect);
  if (response.kind === "ok") {
    return { ...found, reason: "a response that listmonk's documentation does not describe" };
  }
  if (response.kind === "failed") return found;
  const { status, problem } = response;
  return { ...found, reason: `HTTP ${status}${problem ? `: ${problem}` : ""}` };
}

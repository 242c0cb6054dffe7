import { z } from "zod";
import { codeOfStatus } from "../../../platform/http/outbound/failure.ts";
import { type ClientOptions, type JsonApi, jsonClient, type Send } from "../../http/json_client.ts";
import { isOwnError, type JsonResponse } from "../../http/json_response.ts";
import { type Effect, responseTrouble } from "../../http/response_trouble.ts";
import type { Trouble, TroubleCode } from "../../port/trouble.ts";

/** A JSON object. A 204 has an empty one. */
export type MailchimpBody = Record<string, unknown>;

/** What Mailchimp says about an error. The detail may contain an address, so it appears in no reason. */
export interface Problem {
  /** In lower case and without spaces, such as `memberexists`. */
  title: string;
  detail: string;
}

export type MailchimpResponse = JsonResponse<MailchimpBody, Problem>;
export type MailchimpSend = Send<MailchimpBody, Problem>;

export interface MailchimpClientOptions extends Omit<ClientOptions, "baseUrl" | "apiKey"> {
  /** URL of the API; undefined: that of the data center at the end of the API key. */
  baseUrl: string | undefined;
  apiKey: () => string;
}

const object = z.record(z.string(), z.unknown());

const API: JsonApi<MailchimpBody, Problem> = {
  name: "Mailchimp",
  credential: "API key",
  malformedUrl: "Mailchimp's URL or the audience's ID is malformed",
  authorization(key) {
    // Mailchimp ignores the user name.
    return /^[\x21-\x7e]+$/.test(key) ? { authorization: `Basic ${btoa(`cfbe:${key}`)}` } : undefined;
  },
  // A page of 500 members with the fields that the adapter requests is far below this.
  bodyBytes: 2 * 1024 * 1024,
  success: ({ status, json }) => status === 204 ? { success: true, data: {} } : object.safeParse(json),
  problem: z.object({ title: z.string(), status: z.number(), detail: z.string().catch("") })
    .transform(({ title, detail }) => ({ title: title.replace(/\s/g, "").toLowerCase(), detail })),
};

export function mailchimpClient(options: MailchimpClientOptions): MailchimpSend {
  const { baseUrl, apiKey } = options;
  const urlOf = (key: string) => baseUrl ?? apiUrlOf(key);
  const send = jsonClient(API, { ...options, baseUrl: () => urlOf(apiKey()) ?? "" });
  return (request) => {
    const key = apiKey();
    if (key === "" || urlOf(key) !== undefined) return send(request);
    const reason = "the API key does not end with its data center, such as -us6";
    return Promise.resolve({ kind: "failed", code: "invalid_key", reason, unknown: false });
  };
}

/** Returns the URL of the API in the data center that the key ends with, or undefined if it ends with none. */
function apiUrlOf(key: string): string | undefined {
  const [, dataCenter] = /^[^-]+-([a-z]{2}\d{1,3})$/.exec(key) ?? [];
  return dataCenter && `https://${dataCenter}.api.mailchimp.com/3.0`;
}

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: MailchimpResponse, effect: Effect): Trouble {
  const code = response.kind === "error" ? codeOf(response) : undefined;
  return responseTrouble("Mailchimp", response, effect, code);
}

function codeOf({ status, problem }: Extract<MailchimpResponse, { kind: "error" }>): TroubleCode {
  // More than ten calls at a time get a 429, or a 403 without Mailchimp's JSON.
  if (status === 403 && problem === undefined) return "rate_limited";
  if (problem && ["userdisabled", "compliancerelated"].includes(problem.title)) return "account";
  return codeOfStatus(status);
}

/** Returns whether Mailchimp itself reports a missing record. It does not say whether the audience or the member is missing. */
export function isMissing(response: MailchimpResponse): boolean {
  return isOwnError(response, 404);
}

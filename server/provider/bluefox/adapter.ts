import { z } from "zod";
import type { Fetch } from "../../deps.ts";
import type {
  ConnectionResult,
  ListsResult,
  PageResult,
  Provider,
  ProviderList,
  Target,
  Trouble,
} from "../port.ts";
import { type BluefoxRequest, sendRequest } from "./http.ts";
import { listsPage, PAGE_SIZE, subscribersPage } from "./listing.ts";
import { contactCalls } from "./contacts.ts";
import {
  forbiddenCauses,
  mailResult,
  reactivateResult,
  resendResult,
  statusResult,
  subscribeResult,
  trouble,
} from "./results.ts";
import { webhookRequests } from "./webhook.ts";
import { readBluefoxWebhook } from "./webhook_events.ts";

export interface BluefoxOptions {
  /** `https://api.bluefox.email`, or the sandbox's `{base}/sandbox/api`. */
  baseUrl: string;
  /** The project's `_id`. A function runs before each call, so that a change in the admin takes effect immediately. */
  project: string | (() => string);
  apiKey: string | (() => string | undefined);
  fetch: Fetch;
  timeoutMs?: number;
  /** Returns Unix milliseconds; the system clock by default. */
  now?: () => number;
}

/** The provider port, plus what only this provider has. */
export interface Bluefox extends Provider {
  removeWebhook(): Promise<{ kind: "removed" } | Trouble>;
}

/** 600 lists, so that an endless chain of `next` pages cannot block the admin. */
const LIST_PAGES_MAX = 20;

const projectShape = z.object({
  name: z.string().catch(""),
  status: z.string().catch(""),
  restricted: z.boolean().catch(false),
  restrictedReason: z.string().optional().catch(undefined),
  whiteList: z.array(z.string()).catch([]),
});

/**
 * Creates the adapter for BlueFox Email. Source: bluefox.email/docs/api, and this project's notes on the provider.
 *
 * @returns an adapter whose calls never throw and end within `timeoutMs` (default: 10 s)
 */
export function createBluefox(options: BluefoxOptions): Bluefox {
  const { apiKey, project } = options;
  const http = {
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    apiKey: typeof apiKey === "function" ? apiKey : () => apiKey,
    fetch: options.fetch,
    timeoutMs: options.timeoutMs ?? 10_000,
    now: options.now ?? Date.now,
  };
  const send = (request: BluefoxRequest) => sendRequest(http, request);
  const root = () =>
    `/v1/projectId/${encodeURIComponent(typeof project === "function" ? project() : project)}`;
  const listPath = (list: string) => `${root()}/subscriber-lists/${encodeURIComponent(list)}`;
  const personPath = ({ list, email }: Target) =>
    `${listPath(list)}/subscribers/${encodeURIComponent(email)}`;

  async function subscribers(list: string, page: number, query: Record<string, string>): Promise<PageResult> {
    const sort = query.sort === "createdAt" ? "createdAt" : "updatedAt";
    const search = new URLSearchParams({ limit: `${PAGE_SIZE}`, skip: `${page * PAGE_SIZE}`, ...query });
    return subscribersPage(
      await send({ method: "GET", path: `${listPath(list)}/subscribers?${search}` }),
      sort,
    );
  }

  return {
    name: "bluefox",
    capabilities: {
      resend: true,
      listing: true,
      triggered: true,
      transactional: true,
      contacts: true,
      erasure: true,
      reactivation: true,
      webhook: true,
      signedWebhooks: false,
    },
    readWebhook: readBluefoxWebhook,

    async subscribe({ list, email }, person) {
      // Never sets `status`: "active" would skip double opt-in, and anyone can submit a public form.
      const body = { email, tags: person.tags, ...(person.name ? { name: person.name } : {}) };
      return subscribeResult(await send({ method: "POST", path: `${listPath(list)}/subscribers`, body }));
    },

    async status(target, signal) {
      return statusResult(await send({ method: "GET", path: personPath(target), signal }));
    },

    async resend({ list, email }) {
      const path = `${listPath(list)}/contacts/${encodeURIComponent(email)}/resend-verification-email`;
      return resendResult(await send({ method: "POST", path }));
    },

    async sendTriggered({ template, emails, data }, signal) {
      // Without `emails` the provider emails the whole list, so this does not rely on the type alone.
      const some: readonly string[] = emails;
      if (some.length === 0 || some.some((email) => email.trim() === "")) {
        return { kind: "refused", reason: "no email address to send to" };
      }
      const body = { triggeredId: template, emails: some, data };
      return mailResult(await send({ method: "POST", path: `${root()}/send-triggered`, body, signal }));
    },

    async sendTransactional({ template, email, data }, signal) {
      if (email.trim() === "") return { kind: "refused", reason: "no email address to send to" };
      const body = { email, transactionalId: template, data };
      return mailResult(await send({ method: "POST", path: `${root()}/send-transactional`, body, signal }));
    },

    async reactivate(target, signal) {
      const body = { status: "active" };
      return reactivateResult(await send({ method: "PATCH", path: personPath(target), body, signal }));
    },

    ...contactCalls(send, root),

    async lists(): Promise<ListsResult> {
      const lists: ProviderList[] = [];
      for (let page = 0; page < LIST_PAGES_MAX; page++) {
        const search = `limit=${PAGE_SIZE}&skip=${page * PAGE_SIZE}&sort=name&order=asc`;
        const response = await send({ method: "GET", path: `${root()}/subscriber-lists?${search}` });
        const read = listsPage(response);
        if (!read) return trouble(response, "reads");
        lists.push(...read.lists);
        if (!read.more) break;
      }
      return { kind: "lists", lists };
    },

    changed: (list, page) => subscribers(list, page, { sort: "updatedAt", order: "desc" }),
    unconfirmed: (list, page) =>
      subscribers(list, page, { "filter[status]": "unverified", sort: "createdAt", order: "asc" }),

    async connection(): Promise<ConnectionResult> {
      const response = await send({ method: "GET", path: root() });
      const skew = "skewMs" in response ? { skewMs: response.skewMs } : {};
      if (response.kind === "error" && (response.status === 401 || response.status === 403)) {
        const message = response.message ?? "";
        return { kind: "forbidden", message, likely: forbiddenCauses(message), ...skew };
      }
      if (response.kind === "error" && response.status === 404 && response.message !== undefined) {
        return { kind: "absent", ...skew };
      }
      const found = response.kind === "result" ? projectShape.safeParse(response.result).data : undefined;
      if (!found) return trouble(response, "reads");
      const { restrictedReason, ...rest } = found;
      return { kind: "connected", ...rest, ...(restrictedReason ? { restrictedReason } : {}), ...skew };
    },

    ...webhookRequests(send, () => `${root()}/webhook`, http.apiKey),
  };
}

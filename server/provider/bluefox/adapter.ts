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
import { type Call, request } from "./http.ts";
import { listsPage, PAGE_SIZE, subscribersPage } from "./listing.ts";
import { contactCalls } from "./contacts.ts";
import {
  forbiddenCauses,
  mailMeaning,
  reactivateMeaning,
  resendMeaning,
  statusMeaning,
  subscribeMeaning,
  trouble,
} from "./meaning.ts";
import { webhookRequests } from "./webhook.ts";
import { readBluefoxWebhook } from "./webhook_events.ts";

export interface BluefoxOptions {
  /** `https://api.bluefox.email`, or the sandbox's `{base}/sandbox/api`. */
  baseUrl: string;
  /** The project's `_id`. A function is asked at each call, so that what changes in the admin counts at once. */
  project: string | (() => string);
  apiKey: string | (() => string | undefined);
  fetch: Fetch;
  timeoutMs?: number;
  /** Unix milliseconds; the system's clock unless handed in. */
  now?: () => number;
}

/** The port, and what only this provider has. */
export interface Bluefox extends Provider {
  removeWebhook(): Promise<{ kind: "removed" } | Trouble>;
}

/** 600 lists; a `next` that never ends must not hold the admin's page for ever. */
const LIST_PAGES_MAX = 20;

const projectShape = z.object({
  name: z.string().catch(""),
  status: z.string().catch(""),
  restricted: z.boolean().catch(false),
  restrictedReason: z.string().optional().catch(undefined),
  whiteList: z.array(z.string()).catch([]),
});

/**
 * BlueFox Email behind the port. Source: bluefox.email/docs/api, and the provider notes of this project.
 *
 * @returns an adapter whose calls never throw and end within `timeoutMs` (10 s)
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
  const ask = (call: Call) => request(http, call);
  const root = () =>
    `/v1/projectId/${encodeURIComponent(typeof project === "function" ? project() : project)}`;
  const listPath = (list: string) => `${root()}/subscriber-lists/${encodeURIComponent(list)}`;
  const personPath = ({ list, email }: Target) =>
    `${listPath(list)}/subscribers/${encodeURIComponent(email)}`;

  async function subscribers(list: string, page: number, query: Record<string, string>): Promise<PageResult> {
    const sort = query.sort === "createdAt" ? "createdAt" : "updatedAt";
    const search = new URLSearchParams({ limit: `${PAGE_SIZE}`, skip: `${page * PAGE_SIZE}`, ...query });
    return subscribersPage(
      await ask({ method: "GET", path: `${listPath(list)}/subscribers?${search}` }),
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
      // Never `status`: "active" would skip double opt-in, and this is what a public form leads to.
      const body = { email, tags: person.tags, ...(person.name ? { name: person.name } : {}) };
      return subscribeMeaning(await ask({ method: "POST", path: `${listPath(list)}/subscribers`, body }));
    },

    async status(target, signal) {
      return statusMeaning(await ask({ method: "GET", path: personPath(target), signal }));
    },

    async resend({ list, email }) {
      const path = `${listPath(list)}/contacts/${encodeURIComponent(email)}/resend-verification-email`;
      return resendMeaning(await ask({ method: "POST", path }));
    },

    async sendTriggered({ template, emails, data }, signal) {
      // Without `emails` the provider mails the whole list: what the type promises is looked at once more.
      const some: readonly string[] = emails;
      if (some.length === 0 || some.some((email) => email.trim() === "")) {
        return { kind: "refused", reason: "no address to send to" };
      }
      const body = { triggeredId: template, emails: some, data };
      return mailMeaning(await ask({ method: "POST", path: `${root()}/send-triggered`, body, signal }));
    },

    async sendTransactional({ template, email, data }, signal) {
      if (email.trim() === "") return { kind: "refused", reason: "no address to send to" };
      const body = { email, transactionalId: template, data };
      return mailMeaning(await ask({ method: "POST", path: `${root()}/send-transactional`, body, signal }));
    },

    async reactivate(target, signal) {
      const body = { status: "active" };
      return reactivateMeaning(await ask({ method: "PATCH", path: personPath(target), body, signal }));
    },

    ...contactCalls(ask, root),

    async lists(): Promise<ListsResult> {
      const lists: ProviderList[] = [];
      for (let page = 0; page < LIST_PAGES_MAX; page++) {
        const search = `limit=${PAGE_SIZE}&skip=${page * PAGE_SIZE}&sort=name&order=asc`;
        const answer = await ask({ method: "GET", path: `${root()}/subscriber-lists?${search}` });
        const read = listsPage(answer);
        if (!read) return trouble(answer, "reads");
        lists.push(...read.lists);
        if (!read.more) break;
      }
      return { kind: "lists", lists };
    },

    changed: (list, page) => subscribers(list, page, { sort: "updatedAt", order: "desc" }),
    unconfirmed: (list, page) =>
      subscribers(list, page, { "filter[status]": "unverified", sort: "createdAt", order: "asc" }),

    async connection(): Promise<ConnectionResult> {
      const answer = await ask({ method: "GET", path: root() });
      const skew = "skewMs" in answer ? { skewMs: answer.skewMs } : {};
      if (answer.kind === "error" && (answer.status === 401 || answer.status === 403)) {
        const message = answer.message ?? "";
        return { kind: "forbidden", message, likely: forbiddenCauses(message), ...skew };
      }
      if (answer.kind === "error" && answer.status === 404 && answer.message !== undefined) {
        return { kind: "absent", ...skew };
      }
      const found = answer.kind === "result" ? projectShape.safeParse(answer.result).data : undefined;
      if (!found) return trouble(answer, "reads");
      const { restrictedReason, ...rest } = found;
      return { kind: "connected", ...rest, ...(restrictedReason ? { restrictedReason } : {}), ...skew };
    },

    ...webhookRequests(ask, () => `${root()}/webhook`, http.apiKey),
  };
}

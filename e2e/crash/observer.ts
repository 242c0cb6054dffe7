/** Queries to both servers. */
import type { PollReport } from "../../server/confirm/poll.ts";
import type { SignupStatus } from "../../server/ops/signup_status.ts";
import type { Stage } from "./stage.ts";

/** What can be seen of both servers over HTTP. */
export interface Observer {
  status(email: string): Promise<SignupStatus[]>;
  counters(): Promise<Record<string, number>>;
  /** Runs the 15-minute poll now. */
  poll(): Promise<PollReport>;
  /** Sends the webhook about a confirmation again, as providers do. */
  repeatWebhook(email: string): Promise<void>;
  /** Returns the number of emails in the inbox by address. */
  mailCounts(): Promise<Map<string, number>>;
  /** Returns the statuses of each address on the list: one per subscription. */
  subscribers(): Promise<Map<string, string[]>>;
  /** Sets which failures the provider simulates. */
  setFaults(faults: { mode?: string; webhooks?: string }): Promise<void>;
}

const PAGE_SIZE = 30;

/** Returns functions that query the two servers. */
export function observe({ baseUrl, namespace, apiToken, sandbox, api, apiKey, list }: Stage): Observer {
  async function request<T>(url: string, init: RequestInit = {}, token = apiToken): Promise<T> {
    const headers = { authorization: `Bearer ${token}`, ...init.headers };
    const response = await fetch(url, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${init.method ?? "GET"} ${url}: ${response.status} ${text}`);
    return JSON.parse(text.trimEnd().split("\n").at(-1)!) as T;
  }

  return {
    status: (email) => request(`${baseUrl}/ops/status`, { method: "POST", body: JSON.stringify({ email }) }),
    counters: () => request(`${baseUrl}/ops/books`),
    poll: () => request(`${baseUrl}/ops/poll`, { method: "POST" }),
    async repeatWebhook(email) {
      const subscription = { email, status: "active", subscriberList: { _id: list } };
      const body = JSON.stringify({ type: "subscribe", subscription });
      await request(`${namespace}/provider-hook`, { method: "POST", body }, apiKey);
    },
    async mailCounts() {
      const counts = new Map<string, number>();
      let before = "";
      do {
        const page = await request<{ mails: { to: string }[]; before: string | null }>(
          `${sandbox}/inbox.json?limit=100&before=${before}`,
        );
        for (const { to } of page.mails) counts.set(to, (counts.get(to) ?? 0) + 1);
        before = page.before ?? "";
      } while (before !== "");
      return counts;
    },
    async subscribers() {
      const found = new Map<string, string[]>();
      for (let skip = 0;; skip += PAGE_SIZE) {
        const query = `limit=${PAGE_SIZE}&skip=${skip}&sort=createdAt&order=asc`;
        const { result } = await request<{ result: { items: { email: string; status: string }[] } }>(
          `${api}/subscriber-lists/${list}/subscribers?${query}`,
          {},
          apiKey,
        );
        for (const { email, status } of result.items) found.set(email, [...found.get(email) ?? [], status]);
        if (result.items.length < PAGE_SIZE) return found;
      }
    },
    async setFaults(faults) {
      await request(`${sandbox}/faults`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(faults),
      });
    },
  };
}

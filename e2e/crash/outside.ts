import type { PollReport } from "../../server/confirm/poll.ts";
import type { SignupStatus } from "../../server/ops/operations.ts";
import type { Stage } from "./stage.ts";

/** What both programs say of themselves over HTTP. */
export interface Outside {
  status(email: string): Promise<SignupStatus[]>;
  counters(): Promise<Record<string, number>>;
  /** Runs the 15-minute poll now. */
  poll(): Promise<PollReport>;
  /** The provider's webhook about a confirmation, once more: providers do that. */
  tellAgain(email: string): Promise<void>;
  /** How often each address was mailed, over the whole inbox. */
  mails(): Promise<Map<string, number>>;
  /** How often each address is on the list, and as what. */
  subscribers(): Promise<Map<string, string[]>>;
  /** Switches the provider's troubles. */
  setFaults(faults: { mode?: string; webhooks?: string }): Promise<void>;
}

const PAGE_SIZE = 30;

export function outsideOf({ baseUrl, namespace, apiToken, sandbox, api, apiKey, list }: Stage): Outside {
  async function ask<T>(url: string, init: RequestInit = {}, token = apiToken): Promise<T> {
    const headers = { authorization: `Bearer ${token}`, ...init.headers };
    const response = await fetch(url, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${init.method ?? "GET"} ${url}: ${response.status} ${text}`);
    return JSON.parse(text.trimEnd().split("\n").at(-1)!) as T;
  }

  return {
    status: (email) => ask(`${baseUrl}/ops/status`, { method: "POST", body: JSON.stringify({ email }) }),
    counters: () => ask(`${baseUrl}/ops/books`),
    poll: () => ask(`${baseUrl}/ops/poll`, { method: "POST" }),
    async tellAgain(email) {
      const subscription = { email, status: "active", subscriberList: { _id: list } };
      const body = JSON.stringify({ type: "subscribe", subscription });
      await ask(`${namespace}/provider-hook`, { method: "POST", body }, apiKey);
    },
    async mails() {
      const counts = new Map<string, number>();
      let before = "";
      do {
        const page = await ask<{ mails: { to: string }[]; before: string | null }>(
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
        const { result } = await ask<{ result: { items: { email: string; status: string }[] } }>(
          `${api}/subscriber-lists/${list}/subscribers?${query}`,
          {},
          apiKey,
        );
        for (const { email, status } of result.items) found.set(email, [...found.get(email) ?? [], status]);
        if (result.items.length < PAGE_SIZE) return found;
      }
    },
    async setFaults(faults) {
      await ask(`${sandbox}/faults`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(faults),
      });
    },
  };
}

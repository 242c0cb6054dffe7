/** Queries to the server under test. */
import type { PollReport } from "../../server/signup/confirm/poll.ts";
import type { SignupStatus } from "../../server/operations/remote/signup_status.ts";
import type { Stage } from "./stage.ts";

/** What can be seen of the server over HTTP. */
export interface Observer {
  status(email: string): Promise<SignupStatus[]>;
  counters(): Promise<Record<string, number>>;
  /** Runs the 15-minute poll now. */
  poll(): Promise<PollReport>;
}

/** Returns functions that query the server. */
export function observe({ baseUrl, apiToken }: Stage): Observer {
  async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
    const headers = { authorization: `Bearer ${apiToken}` };
    const response = await fetch(baseUrl + path, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${init.method ?? "GET"} ${path}: ${response.status} ${text}`);
    return JSON.parse(text.trimEnd().split("\n").at(-1)!) as T;
  }

  return {
    status: (email) => request("/ops/status", { method: "POST", body: JSON.stringify({ email }) }),
    counters: () => request("/ops/books"),
    poll: () => request("/ops/poll", { method: "POST" }),
  };
}

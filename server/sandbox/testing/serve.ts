import { type Fetch, systemClock, systemRandom } from "../../platform/deps.ts";
import { type MemoryLog, memoryLog } from "../../../dev/testing/memory_log.ts";
import { type TempKv, tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { type BluefoxOptions, createBluefox } from "../../providers/adapters/bluefox/adapter.ts";
import type { Provider } from "../../providers/port/port.ts";
import type { Provisioned } from "../account/project.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../sandbox.ts";
import { Hono } from "hono";

/** A webhook call as its receiver got it. */
export interface Received {
  authorization: string | null;
  // deno-lint-ignore no-explicit-any -- a test reads what it expects
  body: any;
}

/** A sandbox on a real port, closed when it is disposed. */
export interface Served extends AsyncDisposable {
  kv: Kv;
  log: MemoryLog;
  sandbox: Sandbox;
  provisioned: Provisioned;
  /** Public URL, including the path prefix. */
  baseUrl: string;
  provider(options?: Partial<BluefoxOptions>): Provider;
  /** Calls the API; `path` is appended to the project's URL. */
  api(path: string, init?: RequestInit & { json?: unknown }): Promise<Response>;
  /** Fetches a page or its JSON; `path` is appended to `baseUrl`. */
  page(path: string, init?: RequestInit): Promise<Response>;
  // deno-lint-ignore no-explicit-any -- a test reads what it expects
  json(path: string, init?: RequestInit): Promise<any>;
  faults(patch: unknown): Promise<void>;
  received: Received[];
  /** Status with which the receiver responds; 200 by default. */
  receiver: { status: number };
  hookUrl: string;
}

export interface ServeOptions
  extends Partial<Pick<SandboxOptions, "allowed" | "timing" | "clock" | "fetch">> {
  prefix?: string;
}

/** Serves a sandbox and a webhook receiver on a free port, with an empty database. */
export async function serveSandbox(options: ServeOptions = {}): Promise<Served> {
  const temp: TempKv = await tempKv();
  const { kv } = temp;
  const log = memoryLog();
  const root = new Hono();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, root.fetch);
  const prefix = options.prefix ?? "/news";
  const baseUrl = `http://127.0.0.1:${server.addr.port}${prefix}`;
  const timing = { slowMs: 30, hangMs: 5_000, lateMs: 30, retryMs: [5, 5] as const, ...options.timing };
  const sandbox = createSandbox({
    kv,
    clock: systemClock,
    random: systemRandom,
    fetch: (input, init) => fetch(input, init),
    log,
    baseUrl,
    allowed: () => true,
    ...options,
    timing,
  });
  const received: Received[] = [];
  const receiver = { status: 200 };
  root.route(`${prefix}/sandbox`, sandbox.app);
  root.post("/hook", async (c) => {
    received.push({ authorization: c.req.header("authorization") ?? null, body: await c.req.json() });
    return new Response("{}", { status: receiver.status });
  });
  const provisioned = await sandbox.provision();
  const page: Served["page"] = (path, init) => fetch(baseUrl + path, { redirect: "manual", ...init });
  const json: Served["json"] = async (path, init) => (await page(path, init)).json();
  const bluefoxFetch: Fetch = (input, init) => fetch(input, init);
  return {
    kv,
    log,
    sandbox,
    provisioned,
    baseUrl,
    page,
    json,
    received,
    receiver,
    hookUrl: `http://127.0.0.1:${server.addr.port}/hook`,
    provider: (more) =>
      createBluefox({
        baseUrl: sandbox.apiUrl,
        project: provisioned.project,
        apiKey: provisioned.apiKey,
        fetch: bluefoxFetch,
        timeoutMs: 5_000,
        ...more,
      }),
    api(path, { json, ...init } = {}) {
      const headers = new Headers({
        authorization: `Bearer ${provisioned.apiKey}`,
        "content-type": "application/json",
      });
      new Headers(init.headers).forEach((value, name) => headers.set(name, value));
      const body = json === undefined ? {} : { body: JSON.stringify(json) };
      return fetch(`${sandbox.apiUrl}/v1/projectId/${provisioned.project}${path}`, {
        ...init,
        ...body,
        headers,
      });
    },
    async faults(patch) {
      const response = await page("/sandbox/faults", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(patch),
      });
      if (!response.ok) throw new Error(`faults: ${response.status} ${await response.text()}`);
      await response.body?.cancel();
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await server.shutdown();
      await temp[Symbol.asyncDispose]();
    },
  };
}

/**
 * The service under test: a program that the README's command starts, or the deployed one that `--url` names. Tests speak
 * HTTP only. They know the contract from its pages, and import nothing from the program.
 */
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { type Finished, type Program, type ProgramOptions, startProgram } from "./program.ts";

export { until } from "./program.ts";

const NAMESPACE = "/wp-json/cfbe/v1";
/** A token counts from an age of three seconds on. */
const TOKEN_AGE_MS = 3_000;

const { values } = parseArgs({
  args: Deno.args,
  options: { url: { type: "string" }, signups: { type: "boolean", default: false } },
});
/** Base URL of the deployed service that is tested; undefined if the tests start their own. */
const DEPLOYED = values.url?.replace(/\/+$/, "");

/** Settings with which each request can come from an IP address of its own, in `X-Real-IP`. */
export const ANY_IP = `privacy: { ipSource: "x-real-ip", trustedProxies: ["127.0.0.1", "::1"] }`;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined if there is none. */
  // deno-lint-ignore no-explicit-any -- each test checks what it expects
  json: any;
}

export interface Call extends Omit<RequestInit, "body" | "headers"> {
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** The body as JSON, declared as such. */
  json?: unknown;
  /** The visitor's IP. Counts only in a program with `ANY_IP`. */
  ip?: string;
}

export interface Service {
  baseUrl: string;
  /** Requests a route of the namespace, by POST if there is a body. Checks what holds for each of its responses. */
  call(route: string, call?: Call): Promise<Answer>;
  /** Requests a path below the base URL. */
  visit(path: string, call?: Call): Promise<Answer>;
  /** Fetches the token that `token` returns, so that it gets old meanwhile. */
  fetchToken(): Promise<void>;
  /** Returns a token that is accepted. Waits until it is old enough, the same three seconds for all tests. */
  token(): Promise<string>;
  /** Sends a signup with a token that is accepted, from an IP of its own unless the call names one. */
  signUp(members: Record<string, unknown>, call?: Call): Promise<Answer>;
  /** Returns the emails to an address in the sandbox's inbox, newest first. */
  mails(email: string): Promise<{ kind: string; links: Record<string, string> }[]>;
  /** Runs the command line, and fails if it does. */
  cfbe(...args: string[]): Promise<string>;
  /** Returns the headers with the API token. */
  apiToken(): Promise<Record<string, string>>;
  /** Returns the stored signups of an address, as `cfbe status` prints them. */
  status(email: string): Promise<Stored[]>;
  /** Returns the only stored signup of an address. */
  stored(email: string): Promise<Stored>;
  /** The program, for tests that look at its files or end it. */
  program: Program;
}

/** What tests read of a stored signup. */
export interface Stored {
  record: {
    email: string;
    list: string;
    status: string;
    tags: string[];
    name?: string;
    source: string;
    form?: string;
  };
  consents: { text?: string; given?: boolean; ip?: string }[];
}

/** Sends a request and reads the whole response. */
export async function send(url: string, { json, ip, headers = {}, ...call }: Call = {}): Promise<Answer> {
  const body = json === undefined ? call.body : JSON.stringify(json);
  const response = await fetch(url, {
    redirect: "manual",
    ...call,
    method: call.method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(json !== undefined && { "content-type": "application/json" }),
      ...(ip && { "x-real-ip": ip }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const isJson = text !== "" && (response.headers.get("content-type") ?? "").startsWith("application/json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** Checks what holds for every response below the namespace: it is not cached, and a body is JSON. */
export function checkAnswer(answer: Answer, what: string): void {
  assert.equal(answer.headers.get("cache-control"), "no-store", what);
  assert.ok(
    answer.text === "" || answer.json !== undefined,
    `${what}: ${answer.text.slice(0, 200)} is not JSON`,
  );
}

let lastIp = 0;
/** Returns an IPv4 address that no test has used, of the range for benchmarks. */
export function anyIp(): string {
  lastIp += 1;
  return `198.18.${lastIp >> 8}.${lastIp & 255}`;
}

let lastEmail = 0;
/** Returns an address that no test has used. */
export function anyEmail(domain = "example.com"): string {
  lastEmail += 1;
  return `cfbe-contract-${crypto.randomUUID().slice(0, 8)}-${lastEmail}@${domain}`;
}

function serviceAt(baseUrl: string, program: Program | undefined): Service {
  let token: string | undefined;
  let fetched: Promise<{ value: string; usableAt: number }> | undefined;
  const fetchOnce = () => (fetched ??= fetchToken());
  async function fetchToken() {
    const { json } = await service.call("form-token");
    return { value: json.token as string, usableAt: Date.now() + TOKEN_AGE_MS };
  }
  async function run(...args: string[]): Promise<Finished> {
    const finished = await program!.cfbe(...args);
    assert.equal(finished.code, 0, `cfbe ${args.join(" ")}: ${finished.stderr}`);
    return finished;
  }
  const service: Service = {
    baseUrl,
    get program() {
      return program!;
    },
    visit: (path, call) => send(baseUrl + path, call),
    async call(route, call) {
      const answer = await send(`${baseUrl}${NAMESPACE}/${route}`, call);
      checkAnswer(answer, `${call?.method ?? ""} ${route}`);
      return answer;
    },
    async fetchToken() {
      await fetchOnce();
    },
    async token() {
      const { value, usableAt } = await fetchOnce();
      const rest = usableAt - Date.now();
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      return value;
    },
    async signUp(members, call) {
      const cfbe_token = await service.token();
      const answer = await service.call("subscribe", {
        ip: anyIp(),
        ...call,
        json: { source: "shortcode", cfbe_token, ...members },
      });
      if (DEPLOYED && answer.status === 200) console.log(`Signed up ${members["email"]}`);
      if (DEPLOYED && answer.status === 429) {
        throw new Error(
          `Your IP has used up its limit. Run this again in ${answer.headers.get("retry-after")} seconds.`,
        );
      }
      return answer;
    },
    async mails(email) {
      const { json } = await service.visit(`/sandbox/inbox.json?email=${encodeURIComponent(email)}`);
      return json.mails;
    },
    cfbe: async (...args) => (await run(...args)).stdout,
    async status(email) {
      const headers = await service.apiToken();
      const { status, json, text } = await service.visit("/ops/status", { headers, json: { email } });
      assert.equal(status, 200, text);
      return json;
    },
    async stored(email) {
      const [one, ...others] = await service.status(email);
      assert.ok(one && others.length === 0, `${email} has not exactly one signup`);
      return one;
    },
    async apiToken() {
      token ??= (await Deno.readTextFile(`${program!.folder}/cfbe.kv.token`)).trim();
      return { authorization: `Bearer ${token}` };
    },
  };
  return service;
}

/**
 * Starts a program before the tests of this file, and ends it after them. Its first token is fetched at once, so that it
 * gets old while tests run that need none.
 *
 * @returns the service, for tests that run only here
 */
export function start(options?: ProgramOptions): () => Service {
  let program: Program | undefined;
  let service: Service | undefined;
  if (!DEPLOYED) {
    Deno.test.beforeAll(async () => {
      program = await startProgram(options);
      service = serviceAt(program.baseUrl, program);
      await service.fetchToken();
    });
    Deno.test.afterAll(async () => await program?.[Symbol.asyncDispose]());
  }
  return () => service!;
}

/** Why a statement can't be checked on a deployed service. */
export type Reason =
  | "fills limits"
  | "stores signups"
  | "needs its own settings"
  | "needs the sandbox provider"
  | "needs the command line"
  | "needs its secrets"
  | "stops the program"
  | "needs a connection without a proxy";

type Body = (service: Service) => Promise<void> | void;

export interface Statements {
  /** Registers a test that stores nothing and counts toward no limit of visitors, so it may run on any service. */
  anywhere(name: string, body: Body): void;
  /** Registers a test that sends signups for invented addresses: on a deployed service only with `--signups`. */
  withSignups(name: string, body: Body): void;
  /** Registers a test that runs only on a program that was started for it. */
  here(name: string, why: Reason, body: Body): void;
}

/** Starts the program that most tests of a file use, unless a deployed service is tested. */
export function statements(options?: ProgramOptions): Statements {
  const own = start(options);
  const deployed = DEPLOYED === undefined ? undefined : serviceAt(DEPLOYED, undefined);
  const add = (name: string, skipped: string | undefined, body: Body, sanitize = true) =>
    Deno.test({
      name: skipped ? `${name} (skipped: ${skipped})` : name,
      ignore: skipped !== undefined,
      sanitizeOps: sanitize,
      sanitizeResources: sanitize,
      fn: () => body(deployed ?? own()),
    });
  return {
    anywhere: (name, body) => add(name, undefined, body),
    withSignups: (name, body) =>
      add(name, deployed && !values.signups ? "sends signups; add --signups" : undefined, body),
    // A process that a test stops was not started in that test.
    here: (name, why, body) => add(name, deployed && why, body, why !== "stops the program"),
  };
}

/** Headers that differ from one response to the next, whatever the request was. */
const OF_ONE_RESPONSE = /^(date|x-request-id|age|cf-ray|report-to|nel|server-timing|etag)$/;

/** Returns all of a response that the visitor could compare with another one. */
export function visible({ status, headers, text }: Answer): unknown {
  return { status, text, headers: [...headers].filter(([name]) => !OF_ONE_RESPONSE.test(name)).sort() };
}

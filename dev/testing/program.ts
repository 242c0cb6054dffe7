import type { Hono } from "hono";
import { bootstrap, type Overrides } from "../../server/program/bootstrap.ts";
import type { Program } from "../../server/program/program.ts";
import { systemClock } from "../../server/platform/deps.ts";
import { listenNode } from "../../server/platform/http/listen/node_listener.ts";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { createLog } from "../../server/platform/observe/log.ts";
import type { Peer } from "../../server/platform/http/visitor/client_ip.ts";
import { CallClock } from "./call_clock.ts";
import { ManualClock } from "./manual_clock.ts";
import { NAMESPACE } from "../../shared/contract.ts";

/** The real program on a real port, with a clock and random numbers that the test controls. */
export interface TestProgram extends AsyncDisposable, Program {
  baseUrl: string;
  /** `{base_url}` and the namespace. */
  api: string;
  /** The log so far; each entry is a line of JSON. */
  lines: string[];
  /** Returns a form token of this age; 10 s by default. */
  token(ageMs?: number): string;
  /** Posts to `subscribe` with a valid token, from `ip` (the program trusts `x-real-ip`). */
  subscribe(body: Record<string, unknown>, ip?: string): Promise<Response>;
}

interface Options extends Omit<Overrides, "write"> {
  env?: Record<string, string>;
  /** Path of the public URL, such as `/news`. */
  prefix?: string;
  /** Whether the job runner is on. Without it, a test sees only the effects of requests. */
  run?: boolean;
}

const WAIT_MS = 2_000;

/**
 * Starts the program on a free port, by default with the sandbox and an in-memory database. `await using` stops it.
 */
export async function startProgram(
  { env = {}, prefix = "", run = true, file = {}, ...handed }: Options = {},
): Promise<TestProgram> {
  const callClock = handed.clock instanceof ManualClock ? new CallClock(handed.clock) : undefined;
  const served: { app?: Hono<{ Bindings: Peer }> } = {};
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const server = await listenNode({
    port: 0,
    hostname: "127.0.0.1",
    handle: (request, peer) => served.app?.fetch(request, { peer }) ?? new Response(null, { status: 503 }),
    log: createLog({ clock: systemClock, secrets: () => [], write }),
    isShared: () => true,
  });
  const settings = {
    ...file.settings,
    privacy: { ipSource: "x-real-ip" as const, ...file.settings?.privacy },
  };
  const baseUrl = `http://127.0.0.1:${server.port}${prefix}`;
  const program = await bootstrap({
    CFBE_KV: ":memory:",
    CFBE_SALT: "a salt for tests, long enough to be one",
    CFBE_ANSWER_FLOOR_MS: "0",
    CFBE_BASE_URL: baseUrl,
    ...env,
  }, { ...handed, ...(callClock && { callClock }), file: { ...file, settings }, write }).catch(
    async (error) => {
      await server.shutdown();
      throw error;
    },
  );
  served.app = await program.createApp();
  if (run) program.runner.start();
  const { clock, keyring } = program.services;
  // Calls to the provider wait for its limits and pauses.
  const runner = callClock
    ? { ...program.runner, idle: () => callClock.passDuring(program.runner.idle()) }
    : program.runner;
  const token = (ageMs = 10_000) => issueToken(keyring, clock.now() - ageMs);
  return {
    ...program,
    runner,
    baseUrl,
    lines,
    api: baseUrl + NAMESPACE,
    token,
    subscribe: (body, ip = "192.0.2.1") =>
      fetch(`${baseUrl}${NAMESPACE}/subscribe`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-real-ip": ip },
        body: JSON.stringify({ source: "shortcode", cfbe_token: token(), ...body }),
      }),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      // The server releases an unread body two timer turns later.
      for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setTimeout(resolve));
      await program.close(WAIT_MS);
    },
  };
}

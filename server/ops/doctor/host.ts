import { NAMESPACE } from "../../../shared/contract.ts";
import { type Config, isLoopback } from "../../config.ts";
import type { Fetch } from "../../deps.ts";
import { exchange } from "../../http/outbound.ts";
import { isPlainHttp } from "../start_warnings.ts";
import { keys } from "../../kv/keys.ts";
import { filesCheck } from "./files.ts";
import { type Check, type DoctorDeps, type Finding, finding } from "./finding.ts";

/** Both answers are some dozens of bytes. */
const LIMITS = { timeoutMs: 8_000, bodyBytes: 64 * 1024 };
/** A token is the time in milliseconds, signed: two of one moment are the same. */
const TOKENS_APART_MS = 20;

/** The machine that the service runs on: its database, its secrets, its public address. */
export const hostChecks: readonly Check[] = [
  { name: "the database takes writes", look: (app) => databaseWritable(app) },
  filesCheck,
  { name: "the public address leads here", look: (app, { fetch }) => publicAddress(app, fetch) },
  { name: "mail goes out", look: ({ config }) => Promise.resolve(sandboxInPublic(config)) },
];

async function databaseWritable({ kv, clock }: DoctorDeps): Promise<Finding[]> {
  try {
    await kv.set(keys.doctor(), { v: 1, at: clock.now() });
    await kv.delete(keys.doctor());
    return [];
  } catch (error) {
    return [finding("error", "database.not_writable", {
      what: `The database takes no writes: ${error instanceof Error ? error.message : error}`,
      why: "Every signup is answered with an error, and nothing that comes in is kept.",
      todo:
        "See whether the disk is full, and whether file and folder of CFBE_KV belong to this service's user.",
    })];
  }
}

async function publicAddress(
  { config: { baseUrl }, clock }: DoctorDeps,
  fetch: Fetch,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (isPlainHttp(baseUrl)) {
    findings.push(finding("error", "address.http", {
      what: `The public address ${baseUrl} is not https.`,
      why: "Addresses travel in the clear, and pages on https may not send to it at all.",
      todo: "Put a proxy with a certificate in front, and set CFBE_BASE_URL to its https address.",
    }));
  }
  const get = async (path: string) => {
    const ended = await exchange(fetch, { method: "GET", url: baseUrl + path }, LIMITS);
    if (ended.kind !== "answered") throw new Error(ended.detail);
    const { status, json } = ended;
    return { status, body: json as Record<string, unknown> | null | undefined };
  };
  try {
    const health = await get("/healthz");
    if (health.status !== 200 || health.body?.service !== "cfbe") {
      return [...findings, unreachable(baseUrl, `it answers ${health.status}, and not as this service does`)];
    }
    const tokens = [await get(`${NAMESPACE}/form-token`)];
    await clock.sleep(TOKENS_APART_MS);
    tokens.push(await get(`${NAMESPACE}/form-token`));
    if (tokens[0]!.body?.token === undefined || tokens[0]!.body.token !== tokens[1]!.body?.token) {
      return findings;
    }
    findings.push(finding("error", "address.cached", {
      what: `Something in front of ${baseUrl} keeps the answers of form-token.`,
      why: "A form token that is older than two hours makes a signup look fine and be dropped.",
      todo: `Exempt ${new URL(baseUrl).pathname.replace(/\/$/, "")}${NAMESPACE}/ from that cache.`,
    }));
  } catch (error) {
    findings.push(unreachable(baseUrl, error instanceof Error ? error.message : String(error)));
  }
  return findings;
}

function unreachable(baseUrl: string, says: string): Finding {
  return finding("error", "address.unreachable", {
    what: `The public address ${baseUrl} does not lead to this service: ${says}.`,
    why: "Forms on pages and the provider's webhook send to that address.",
    todo:
      "Start the service, or compare CFBE_BASE_URL with name, port and path that the proxy passes on. Where " +
      "this machine alone can't reach its own public name, try the address from outside.",
  });
}

/** On an address of this machine alone the sandbox is fine, and proves nothing of mail. */
function sandboxInPublic({ provider, baseUrl }: Config): Finding[] | "skipped" {
  if (provider !== "sandbox") return [];
  if (isLoopback(baseUrl)) return "skipped";
  return [finding("error", "sandbox.public", {
    what: `The service at ${baseUrl} has the sandbox as its provider.`,
    why: "The sandbox sends no mail at all: nobody can confirm, and nobody gets a newsletter.",
    todo: "Set CFBE_PROVIDER, CFBE_PROVIDER_PROJECT and CFBE_PROVIDER_API_KEY.",
  })];
}

import { asSentence } from "../../providers/port/trouble.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import { isLoopback } from "../../platform/config/config.ts";
import type { Fetch } from "../../platform/deps.ts";
import { exchange } from "../../platform/http/outbound.ts";
import { isPlainHttp } from "../problems/start_warnings.ts";
import { isSandbox } from "../../settings/store/provider.ts";
import { databaseCheck, diskCheck } from "./database.ts";
import { filesCheck } from "./files.ts";
import { type Check, type DoctorDeps, type Finding, finding, type Skipped } from "./finding.ts";

/** Both responses are a few dozen bytes. */
const LIMITS = { timeoutMs: 8_000, bodyBytes: 64 * 1024 };
/** A token is a signed time in milliseconds: two tokens of the same millisecond are equal. */
const TOKENS_APART_MS = 20;

/** Checks of the machine: database, files, public URL. */
export const hostChecks: readonly Check[] = [
  databaseCheck,
  diskCheck,
  filesCheck,
  { name: "the public URL leads to this service", run: (app, { fetch }) => publicAddress(app, fetch) },
  {
    name: "the sandbox is not exposed publicly",
    run: (app) => Promise.resolve(sandboxInPublic(app)),
  },
];

async function publicAddress(
  { config: { baseUrl }, clock }: DoctorDeps,
  fetch: Fetch,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (isPlainHttp(baseUrl)) {
    findings.push(finding("error", "address.http", {
      what: `The public URL ${baseUrl} is not https.`,
      why: "Email addresses are sent unencrypted, and https pages cannot send to it.",
      todo: "Put a proxy with a certificate in front of the service, and set CFBE_BASE_URL to its https URL.",
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
      return [
        ...findings,
        unreachable(baseUrl, `it responds with ${health.status}, but not like this service`),
      ];
    }
    const tokens = [await get(`${NAMESPACE}/form-token`)];
    await clock.sleep(TOKENS_APART_MS);
    tokens.push(await get(`${NAMESPACE}/form-token`));
    // Not timing-sensitive: the doctor fetched both tokens.
    if (tokens[0]!.body?.token === undefined || tokens[0]!.body.token !== tokens[1]!.body?.token) {
      return findings;
    }
    findings.push(finding("error", "address.cached", {
      what: `A cache in front of ${baseUrl} stores the responses of form-token.`,
      why: "A signup with a token older than two hours looks successful but is dropped.",
      todo: `Exempt ${new URL(baseUrl).pathname.replace(/\/$/, "")}${NAMESPACE}/ from that cache.`,
    }));
  } catch (error) {
    findings.push(unreachable(baseUrl, error instanceof Error ? error.message : String(error)));
  }
  return findings;
}

function unreachable(baseUrl: string, reason: string): Finding {
  return finding("error", "address.unreachable", {
    what: `The public URL ${baseUrl} does not lead to this service: ${asSentence(reason)}`,
    why: "Forms and the provider's webhook send to this URL.",
    todo:
      "Start the service, or compare CFBE_BASE_URL with the host, port and path that the proxy forwards. If only " +
      "this machine cannot reach the public URL, open the URL from another machine.",
  });
}

/** The sandbox is fine on a loopback URL. */
function sandboxInPublic({ config: { baseUrl }, settings }: DoctorDeps): Finding[] | Skipped {
  if (!isSandbox(settings.current())) return [];
  if (isLoopback(baseUrl)) {
    return {
      skipped: `The sandbox is the provider, which is fine at ${baseUrl}: only this machine can reach it.`,
    };
  }
  return [finding("error", "sandbox.public", {
    what: `The service at ${baseUrl} uses the sandbox provider.`,
    why: "The sandbox sends no emails: nobody can confirm, and nobody gets a newsletter.",
    todo:
      "Choose a provider on the admin's Provider page, or set CFBE_PROVIDER and what the provider's page says.",
  })];
}

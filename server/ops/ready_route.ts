import type { Context } from "hono";
import { keys } from "../kv/keys.ts";
import type { Clock, Log } from "../deps.ts";
import type { ProxyHeaders } from "../http/visitor/proxy_headers.ts";
import type { Activation } from "./activation.ts";

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  log: Log;
  activation: Activation;
  proxyHeaders: ProxyHeaders;
  isConfigured(): boolean;
}

/** A database that takes longer than this is as good as away. */
const READ_MS = 1_000;

/**
 * `GET {base_url}/readyz`: whether visitors may be sent here, for load balancers and deployments. 503 names what is
 * missing. (`/healthz` only says that the process answers: restarting it would not bring a database back.)
 */
export function readyRoute({ kv, clock, activation, isConfigured, proxyHeaders, log }: Deps) {
  async function databaseAnswers(): Promise<boolean> {
    const done = new AbortController();
    try {
      return await Promise.race([
        kv.get(keys.activation()).then(() => true),
        clock.sleep(READ_MS, done.signal).then(() => false),
      ]);
    } catch (error) {
      log.error("ready.database_failed", { error });
      return false;
    } finally {
      done.abort();
    }
  }

  return async (c: Context): Promise<Response> => {
    const checks = {
      database: await databaseAnswers(),
      active: activation.isActive(),
      configured: isConfigured(),
      visitorsToldApart: proxyHeaders.read().unknown === 0,
    };
    // Switched off or not set up yet is for a person to mend, and no reason to send visitors elsewhere.
    const ok = checks.database && checks.visitorsToldApart;
    return c.json({ ok, ...checks }, ok ? 200 : 503);
  };
}

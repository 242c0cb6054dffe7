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

/** A database that takes longer than this to respond counts as unavailable, in milliseconds. */
const READ_MS = 1_000;

/**
 * `GET {base_url}/readyz`: whether this instance can serve visitors, for load balancers and deployments. The body of a
 * 503 shows which check failed. (`/healthz` only says that the process responds, because restarting the process does not
 * repair a database.)
 */
export function readyRoute({ kv, clock, activation, isConfigured, proxyHeaders, log }: Deps) {
  async function databaseResponds(): Promise<boolean> {
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
      database: await databaseResponds(),
      active: activation.isActive(),
      configured: isConfigured(),
      visitorIps: proxyHeaders.read().unknown === 0,
    };
    // Deactivated or not set up yet is up to the operator, and no reason to send visitors elsewhere.
    const ok = checks.database && checks.visitorIps;
    return c.json({ ok, ...checks }, ok ? 200 : 503);
  };
}

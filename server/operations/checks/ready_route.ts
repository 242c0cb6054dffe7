import type { Context } from "hono";
import { keys } from "../../platform/kv/keys.ts";
import type { Clock, Log } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { LATE, within } from "../../platform/time/within.ts";
import type { DatabaseHealth } from "../../platform/observe/database_health.ts";
import { RETRY_UNAVAILABLE_MS, setRetryAfter } from "../../platform/http/errors.ts";
import type { ProxyHeaders } from "../../platform/http/visitor/proxy_headers.ts";
import type { Activation } from "../activation/activation.ts";
import type { Check } from "./check.ts";
import type { Draining } from "./draining.ts";
import { problemsIn } from "./registry.ts";

interface Deps {
  kv: Kv;
  databaseHealth: DatabaseHealth;
  clock: Clock;
  log: Log;
  activation: Activation;
  proxyHeaders: ProxyHeaders;
  draining: Draining;
  isConfigured(): boolean;
}

/** A database that takes longer than this to respond counts as unavailable, in milliseconds. */
const READ_MS = 1_000;

/**
 * `GET {base_url}/readyz`: whether this instance can serve visitors, for load balancers and deployments. The body of a
 * 503 shows which check failed. The database is probed at most once a minute, or every 10 seconds while it fails, however
 * often this route is called. (`/healthz` only says that the process responds, because restarting the process does not
 * repair a database.)
 */
export function readyRoute(
  { kv, databaseHealth, clock, activation, isConfigured, proxyHeaders, draining, log }: Deps,
) {
  async function databaseResponds(): Promise<boolean> {
    const reading = Promise.all([kv.get(keys.activation()), databaseHealth.probe()]);
    try {
      return await within(READ_MS, clock, reading) !== LATE;
    } catch (error) {
      log.error("ready.database_failed", { error });
      return false;
    }
  }

  return async (c: Context): Promise<Response> => {
    const isDraining = draining.asked();
    const responds = await databaseResponds();
    const failure = databaseHealth.failure();
    const values = {
      database: { failure, file: undefined, disk: undefined },
      active: activation.isActive(),
      traffic: proxyHeaders.read(),
    };
    const isFine = (member: Check["in"]["ready"]) =>
      problemsIn(values, ({ ready }) => ready === member).length === 0;
    const checks = {
      database: responds && isFine("database"),
      ...(failure && { databaseCause: failure.cause }),
      active: isFine("active"),
      configured: isConfigured(),
      visitorIps: isFine("visitorIps"),
      ...(isDraining && { draining: true }),
    };
    // Deactivated or not set up yet is up to the operator, and no reason to send visitors elsewhere.
    const ok = checks.database && checks.visitorIps && !isDraining;
    const response = c.json({ ok, ...checks }, ok ? 200 : 503);
    if (!checks.database) setRetryAfter(response, RETRY_UNAVAILABLE_MS);
    return response;
  };
}

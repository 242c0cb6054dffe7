import { skewOf } from "../../http/json_response.ts";
import type { ConnectionResult, Provider } from "../../port/port.ts";
import { refused, unavailable } from "../../port/unsupported.ts";
import { listmonkCapabilities } from "./capabilities.ts";
import { listmonkClient, type ListmonkOptions, type ListmonkResponse, trouble } from "./http.ts";
import { importCall } from "./import.ts";
import { listingCalls } from "./listing.ts";
import { mailCalls } from "./mails.ts";
import { missingPermissions } from "./permissions.ts";
import { contactCalls, finder } from "./people.ts";
import { subscriptionCalls } from "./subscriptions.ts";

const unsupported = unavailable("listmonk has no such call");

/**
 * Creates the adapter for listmonk 6 or newer. Source: listmonk.app/docs/apis, and the behavior of its server.
 *
 * @returns an adapter whose requests never throw and end within `timeoutMs` each (default: 10 s)
 */
export function createListmonk(options: ListmonkOptions): Provider {
  const send = listmonkClient(options);
  const find = finder(send);

  return {
    capabilities: listmonkCapabilities,
    ...subscriptionCalls(send, find),
    ...importCall(send, find),
    ...contactCalls(send, find),
    ...mailCalls(send, find),
    ...listingCalls(send),
    changed: unsupported,
    connection: async () =>
      connectionResult(await send({ method: "GET", path: "/profile" }), options.baseUrl()),
    getWebhook: unsupported,
    setWebhook: refused("listmonk sends no webhooks"),
    readWebhook: ({ authenticated }) =>
      Promise.resolve(
        authenticated
          ? { kind: "refused", reason: "malformed" }
          : { kind: "refused", reason: "unauthorized" },
      ),
  };
}

/** Returns the result of a connection test from the API user's profile, which every user can read. */
function connectionResult(response: ListmonkResponse, baseUrl: string): ConnectionResult {
  const skew = skewOf(response);
  if (response.kind === "error" && (response.status === 401 || response.status === 403)) {
    return { kind: "forbidden", message: `HTTP ${response.status}`, ...skew };
  }
  const missing = response.kind === "ok" ? missingPermissions(response.body) : undefined;
  if (!missing) return trouble(response, "reads");
  return {
    kind: "connected",
    name: new URL(baseUrl).host,
    status: "listmonk",
    ...(missing.length > 0 && { missingPermissions: missing }),
    ...skew,
  };
}

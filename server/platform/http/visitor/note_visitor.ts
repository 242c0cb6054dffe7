import type { Context, MiddlewareHandler } from "hono";
import { cfbeCommand } from "../../config/cfbe_command.ts";
import type { Log } from "../../deps.ts";
import { peerIp } from "./client_ip.ts";
import { inRanges } from "./ip_ranges.ts";
import type { ProxyHeaders } from "./proxy_headers.ts";
import { type IpSettings, visitorIp } from "./visitor_ip.ts";

/**
 * Notes the proxy headers of a visitor's request for the doctor. Not for requests of the command line, the admin, scripts
 * and webhooks: these may reach cfbe without the visitors' proxy, or all come from one IP.
 */
export type NoteVisitor = (c: Context) => void;

interface Deps {
  log: Log;
  proxyHeaders: ProxyHeaders;
  /** Returns the current Privacy settings. */
  privacy(): IpSettings;
}

/** Creates the function that notes visitors' requests. It logs once that their IPs are unknown. */
export function createNoteVisitor({ log, proxyHeaders, privacy }: Deps): NoteVisitor {
  return (c) => {
    const { headers } = c.req.raw;
    const peer = peerIp(c);
    const current = privacy();
    const ip = visitorIp(peer, headers, current);
    if (ip === "" && proxyHeaders.read().unknown === 0) {
      log.error("visitor_ip.unknown", {
        message:
          `The host does not pass on visitor IPs, so all visitors share one limit. Run \`${cfbeCommand()} doctor\`.`,
      });
    }
    proxyHeaders.record(headers, ip, inRanges(peer, current.trustedProxies));
  };
}

/** Notes every request of a route that only visitors' browsers call. */
export function noteVisitors(app: { noteVisitor: NoteVisitor }): MiddlewareHandler {
  return async (c, next) => {
    app.noteVisitor(c);
    await next();
  };
}

import { counted } from "../../platform/words/counted.ts";
import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { FORWARDED, type Traffic } from "../../platform/http/visitor/proxy_headers.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { type Check, type Finding, finding } from "./finding.ts";

/** Minimum number of requests for a result. */
const ENOUGH = 5;
const MANY = 30;
/** Any visitor can send the header. Only a proxy adds it to nearly all requests. */
const NEARLY_ALL = 0.9;

/** Checks that visitors have different IPs, because limits count by IP (contract 1.7). */
export const trafficCheck: Check = {
  name: "visitor IPs are distinguishable",
  run({ proxyHeaders, settings }) {
    const traffic = proxyHeaders.read();
    if (traffic.unknown > 0) return Promise.resolve([unknownIps(traffic)]);
    if (traffic.requests < ENOUGH) {
      const skipped =
        `Too few visitors since the start: ${traffic.requests} of ${ENOUGH} requests. Open a page with a ` +
        "form a few times, then run the doctor again.";
      return Promise.resolve({ skipped });
    }
    return Promise.resolve(trafficFindings(traffic, settings.current().privacy));
  },
};

function unknownIps({ unknown, requests }: Traffic): Finding {
  return finding("error", "visitor_ip.unknown", {
    what: `${unknown} of the latest ${counted(requests, "request")} had no visitor IP.`,
    why: "These visitors share one rate limit of five signups in ten minutes.",
    todo:
      "Run cfbe on a host that provides the client's IP, or behind your own proxy, and set privacy.ipSource to " +
      "the header that the proxy sets.",
  });
}

/** @param traffic at least `ENOUGH` requests */
function trafficFindings(traffic: Traffic, { ipSource }: Settings["privacy"]): Finding[] {
  const { requests, carried, untrusted, ips } = traffic;
  if (ipSource === "default") {
    const header = FORWARDED.find((name) => carried[name] >= requests * NEARLY_ALL);
    if (header) {
      return [finding("error", "proxy.not_trusted", {
        what:
          `${carried[header]} of the latest ${requests} requests carry ${header}, which proxies set, but ` +
          "privacy.ipSource is default.",
        why:
          "All visitors are seen as the proxy's IP and share one rate limit of five signups in ten minutes.",
        todo:
          `If the proxy sets ${header} itself, run: ${cfbeCommand()} settings set privacy.ipSource ${header}`,
      })];
    }
  } else if (carried[ipSource] < requests * (1 - NEARLY_ALL)) {
    return [finding("error", "proxy.header_missing", {
      what:
        `privacy.ipSource is ${ipSource}, but ${
          requests - carried[ipSource]
        } of the latest ${requests} requests ` +
        "lack this header.",
      why: "Without the header, all visitors are seen as the proxy's IP.",
      todo: "Set privacy.ipSource to the header that the proxy sets, or to `default` if there is no proxy.",
    })];
  }
  if (ipSource !== "default" && untrusted >= requests * NEARLY_ALL) {
    return [finding("error", "proxy.not_in_range", {
      what:
        `${untrusted} of the latest ${requests} requests carry a proxy's header but come from an untrusted IP.`,
      why: "The header is ignored, so all visitors behind one proxy share its IP and its rate limit.",
      todo: "If they come through your proxy, add its IP or range to privacy.trustedProxies.",
    })];
  }
  if (requests >= MANY && ips === 1) {
    return [finding("warning", "proxy.one_ip", {
      what: `The latest ${requests} requests all came from one IP.`,
      why: "Limits count by IP: if these were different visitors, most of them were rate limited.",
      todo: "If there is a proxy in front, let it set X-Real-IP, and set privacy.ipSource to x-real-ip.",
    })];
  }
  return [];
}

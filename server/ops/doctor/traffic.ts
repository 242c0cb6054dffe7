import { FORWARDED, type Traffic } from "../../http/visitor/proxy_headers.ts";
import type { Settings } from "../../settings/schema.ts";
import { type Check, type Finding, finding } from "./finding.ts";

/** Fewer requests prove nothing. */
const ENOUGH = 5;
const MANY = 30;
/** Visitors may write any header; that nearly all do, no visitor brings about. */
const NEARLY_ALL = 0.9;

/** Whether visitors' IPs are told apart: limits count by them (contract 1.7). */
export const trafficCheck: Check = {
  name: "visitors are told apart",
  look({ proxyHeaders, settings }) {
    const traffic = proxyHeaders.read();
    if (traffic.unknown > 0) return Promise.resolve([nobodyKnown(traffic)]);
    if (traffic.requests < ENOUGH) return Promise.resolve("skipped");
    return Promise.resolve(trafficFindings(traffic, settings.current().privacy));
  },
};

function nobodyKnown({ unknown, requests }: Traffic): Finding {
  return finding("error", "visitor_ip.unknown", {
    what: `${unknown} of the latest ${requests} requests came without the visitor's address.`,
    why: "All those visitors share one limit: five signups in ten minutes, and everybody is refused.",
    todo:
      "Run cfbe where the host hands over the address of the other end, or behind a proxy that you run, " +
      "with the header it sets in privacy.ipSource.",
  });
}

/** @param traffic of at least some requests */
function trafficFindings(traffic: Traffic, { ipSource }: Settings["privacy"]): Finding[] {
  const { requests, carried, untrusted, ips } = traffic;
  if (ipSource === "default") {
    const header = FORWARDED.find((name) => carried[name] >= requests * NEARLY_ALL);
    if (header) {
      return [finding("error", "proxy.not_trusted", {
        what:
          `${carried[header]} of the latest ${requests} requests carry ${header}, as a proxy sets it, but ` +
          "privacy.ipSource is default.",
        why:
          "All visitors share the proxy's own address: five signups in ten minutes, and everybody is refused.",
        todo:
          `If the proxy sets ${header} itself, run: deno task cfbe settings set privacy.ipSource ${header}`,
      })];
    }
  } else if (carried[ipSource] < requests * (1 - NEARLY_ALL)) {
    return [finding("error", "proxy.header_missing", {
      what:
        `privacy.ipSource is ${ipSource}, and ${
          requests - carried[ipSource]
        } of the latest ${requests} requests ` +
        "came without it.",
      why: "Without the header, the proxy's own address counts for all visitors.",
      todo: "Name the header that the proxy sets; `default` if there is none.",
    })];
  }
  if (ipSource !== "default" && untrusted >= requests * NEARLY_ALL) {
    return [finding("error", "proxy.not_in_range", {
      what:
        `${untrusted} of the latest ${requests} requests carry a proxy's header and come from no trusted proxy.`,
      why: "The header does not count then, and all visitors of one proxy share its address and its limit.",
      todo: "If they come through your proxy, add its IP or range to privacy.trustedProxies.",
    })];
  }
  if (requests >= MANY && ips === 1) {
    return [finding("warning", "proxy.one_ip", {
      what: `The latest ${requests} requests all came from one IP.`,
      why: "Limits count by IP: if these were different visitors, most of them were refused.",
      todo: "If a proxy stands in front, let it set X-Real-IP, and name that in privacy.ipSource.",
    })];
  }
  return [];
}

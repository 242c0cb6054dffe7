/** Headers with the visitor's IP that the Privacy settings offer as a source. */
export const FORWARDED = ["cf-connecting-ip", "x-real-ip", "x-forwarded-for"] as const;
export type Forwarded = (typeof FORWARDED)[number];

/** Counts over the latest requests. They show which proxy is in front of cfbe. */
export interface Traffic {
  requests: number;
  /** Requests with each header. */
  carried: Record<Forwarded, number>;
  /** Different visitor IPs. */
  ips: number;
  /** Requests with such a header from a peer that is not a trusted proxy. */
  untrusted: number;
  /** Requests without a known visitor IP: they share one limit. */
  unknown: number;
}

export interface ProxyHeaders {
  /**
   * @param ip the visitor's IP by the Privacy settings; empty if unknown
   * @param isTrusted whether the peer is one of the trusted proxies
   */
  record(headers: Headers, ip: string, isTrusted: boolean): void;
  read(): Traffic;
}

const LATEST = 200;

/** Counts the latest 200 requests, in memory only: the counts are about the present. */
export function createProxyHeaders(): ProxyHeaders {
  const latest: { headers: Forwarded[]; ip: string; isTrusted: boolean }[] = [];
  return {
    record(headers, ip, isTrusted) {
      latest.push({ headers: FORWARDED.filter((name) => headers.has(name)), ip, isTrusted });
      if (latest.length > LATEST) latest.shift();
    },
    read() {
      const carried = (name: Forwarded) => latest.filter(({ headers }) => headers.includes(name)).length;
      return {
        requests: latest.length,
        carried: Object.fromEntries(FORWARDED.map((name) => [name, carried(name)])) as Traffic["carried"],
        ips: new Set(latest.map(({ ip }) => ip)).size,
        untrusted: latest.filter(({ headers, isTrusted }) => headers.length > 0 && !isTrusted).length,
        unknown: latest.filter(({ ip }) => ip === "").length,
      };
    },
  };
}

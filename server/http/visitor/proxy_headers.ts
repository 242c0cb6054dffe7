/** Headers by which a proxy says for whom it asks, as the Privacy setting knows them. */
export const FORWARDED = ["cf-connecting-ip", "x-real-ip", "x-forwarded-for"] as const;
export type Forwarded = (typeof FORWARDED)[number];

/** What the latest requests say of what stands in front of this service. */
export interface Traffic {
  /** Requests looked at. */
  requests: number;
  /** How many of them carried each header. */
  carried: Record<Forwarded, number>;
  /** How many different visitors' IPs there were among them. */
  ips: number;
  /** How many of them carried such a header and came from a peer that is no trusted proxy. */
  untrusted: number;
  /** How many of the requests came from nobody knows where: they all share one limit. */
  unknown: number;
}

export interface ProxyHeaders {
  /**
   * @param ip as it was found by the Privacy setting; empty if it is unknown
   * @param isTrusted whether the peer is one of the trusted proxies
   */
  note(headers: Headers, ip: string, isTrusted: boolean): void;
  read(): Traffic;
}

const LATEST = 200;

/** In memory alone, and for the latest requests alone: whoever looks wants to know how it is now. */
export function createProxyHeaders(): ProxyHeaders {
  const latest: { headers: Forwarded[]; ip: string; isTrusted: boolean }[] = [];
  return {
    note(headers, ip, isTrusted) {
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

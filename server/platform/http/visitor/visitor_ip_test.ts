import assert from "node:assert/strict";
import fc from "fast-check";
import { normalizeIp } from "./ip_ranges.ts";
import { limitSubject, visitorIp } from "./visitor_ip.ts";

const PEER = "10.0.0.1";
const privacy = (
  ipSource: "default" | "cf-connecting-ip" | "x-forwarded-for" | "x-real-ip",
  trustedHops = 1,
) => ({
  ipSource,
  trustedHops,
  trustedProxies: ["10.0.0.0/8", "2001:db8::/32"],
  ipRetentionDays: 90,
  unconfirmedRetentionDays: 30,
});
const forged = new Headers({
  "x-forwarded-for": "1.1.1.1, 2.2.2.2, 3.3.3.3",
  "cf-connecting-ip": "4.4.4.4",
  "x-real-ip": "5.5.5.5",
});

Deno.test("only the header that the settings choose counts", () => {
  assert.equal(visitorIp(PEER, forged, privacy("default")), PEER);
  assert.equal(visitorIp(PEER, forged, privacy("cf-connecting-ip")), "4.4.4.4");
  assert.equal(visitorIp(PEER, forged, privacy("x-real-ip")), "5.5.5.5");
});

Deno.test("a forwarded header counts only from a trusted proxy, for every source", () => {
  for (const peer of ["192.0.2.1", "::ffff:192.0.2.1", "2001:db9::1", "11.0.0.1"]) {
    for (const source of ["cf-connecting-ip", "x-forwarded-for", "x-real-ip"] as const) {
      assert.equal(visitorIp(peer, forged, privacy(source)), normalizeIp(peer), `${source} from ${peer}`);
    }
  }
  for (const peer of ["10.1.2.3", "::ffff:10.1.2.3", "2001:db8::1"]) {
    assert.equal(visitorIp(peer, forged, privacy("x-real-ip")), "5.5.5.5", peer);
  }
  assert.equal(visitorIp("", forged, privacy("x-real-ip")), "");
});

Deno.test("in X-Forwarded-For, the entry of the trusted proxy counts, never one that a visitor prepended", () => {
  assert.equal(visitorIp(PEER, forged, privacy("x-forwarded-for")), "3.3.3.3");
  assert.equal(visitorIp(PEER, forged, privacy("x-forwarded-for", 2)), "2.2.2.2");
  assert.equal(visitorIp(PEER, forged, privacy("x-forwarded-for", 4)), PEER);
});

Deno.test("the peer counts if the forwarded header is malformed", () => {
  for (
    const value of [
      "",
      "unknown",
      "1.2.3",
      "1.2.3.4:",
      "1.2.3.4:x",
      "[1.2.3.4",
      "01.2.3.4",
      "fe80::1%eth0",
      ",",
      "1.2.3.4,",
    ]
  ) {
    const headers = new Headers({ "x-forwarded-for": value, "x-real-ip": value });
    assert.equal(visitorIp(PEER, headers, privacy("x-forwarded-for")), PEER, value);
    assert.equal(visitorIp(PEER, headers, privacy("x-real-ip")), PEER, value);
  }
});

Deno.test("in X-Forwarded-For, an entry can have a port, which does not count", () => {
  for (const port of ["1", "4711", "65535"]) {
    for (const [entry, ip] of [["192.0.2.7", "192.0.2.7"], ["[2001:db8::7]", "2001:db8::7"]] as const) {
      const headers = new Headers({ "x-forwarded-for": `6.6.6.6:1, ${entry}:${port}` });
      assert.equal(visitorIp(PEER, headers, privacy("x-forwarded-for")), ip, `${entry}:${port}`);
    }
  }
  const bare = new Headers({ "x-forwarded-for": "[2001:db8::7]" });
  assert.equal(visitorIp(PEER, bare, privacy("x-forwarded-for")), "2001:db8::7");
});

Deno.test("IPv4-mapped IPv6 counts as its IPv4 address", () => {
  assert.equal(normalizeIp("::ffff:1.2.3.4"), "1.2.3.4");
  assert.equal(normalizeIp("::FFFF:0102:0304"), "1.2.3.4");
  assert.equal(visitorIp("::ffff:9.9.9.9", new Headers(), privacy("default")), "9.9.9.9");
});

Deno.test("limits count IPv6 by its /64 and IPv4 by its address", () => {
  assert.equal(limitSubject(normalizeIp("2001:db8:1:2:aaaa::1")!), "2001:db8:1:2::/64");
  assert.equal(limitSubject("2001:db8:1:2:ffff:ffff:ffff:ffff"), "2001:db8:1:2::/64");
  assert.notEqual(limitSubject("2001:db8:1:3::1"), limitSubject("2001:db8:1:2::1"));
  assert.equal(limitSubject("192.0.2.7"), "192.0.2.7");
});

Deno.test("any header value results in an IP and never throws", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()),
      fc.integer({ min: 1, max: 20 }),
      (value, hops) => {
        const headers = new Headers();
        try {
          headers.set("x-forwarded-for", value);
        } catch {
          return; // Not a valid header value.
        }
        const ip = visitorIp(PEER, headers, privacy("x-forwarded-for", hops));
        assert.equal(normalizeIp(ip), ip);
        limitSubject(ip);
      },
    ),
  );
});

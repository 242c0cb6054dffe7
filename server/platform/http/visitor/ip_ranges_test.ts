import assert from "node:assert/strict";
import { inRanges, isRange, LOCAL_RANGES } from "./ip_ranges.ts";

Deno.test("an IP is in a range by its bits, for IPv4, IPv6 and IPv4-mapped IPv6", () => {
  for (
    const [ip, range, expected] of [
      ["10.1.2.3", "10.0.0.0/8", true],
      ["11.1.2.3", "10.0.0.0/8", false],
      ["::ffff:10.1.2.3", "10.0.0.0/8", true],
      ["203.0.113.7", "203.0.113.7", true],
      ["203.0.113.8", "203.0.113.7", false],
      ["2001:db8::1", "2001:db8::/32", true],
      ["2001:db9::1", "2001:db8::/32", false],
      ["1.2.3.4", "0.0.0.0/0", true],
      ["2001:db8::1", "0.0.0.0/0", false],
      ["1.2.3.4", "::/0", false],
      ["", "0.0.0.0/0", false],
      ["unix", "::/0", false],
    ] as const
  ) assert.equal(inRanges(ip, [range]), expected, `${ip} in ${range}`);
});

Deno.test("the local ranges contain loopback and private networks, and no public address", () => {
  for (
    const ip of ["127.0.0.1", "::1", "10.0.0.1", "172.31.0.1", "192.168.1.1", "fd00::1", "::ffff:127.0.0.1"]
  ) {
    assert.ok(inRanges(ip, LOCAL_RANGES), ip);
  }
  for (const ip of ["172.32.0.1", "192.0.2.1", "8.8.8.8", "2001:db8::1"]) {
    assert.ok(!inRanges(ip, LOCAL_RANGES), ip);
  }
});

Deno.test("a range is an IP, or an IP with a prefix length that fits its family", () => {
  for (const text of ["10.0.0.0/8", "203.0.113.7", "2001:db8::/32", "::1", "0.0.0.0/0"]) {
    assert.ok(isRange(text), text);
  }
  for (
    const text of [
      "",
      "10.0.0.0/33",
      "10.0.0/8",
      "010.0.0.0/8",
      "10.0.0.0/",
      "10.0.0.0/-1",
      "::/129",
      "proxy",
      "::ffff:10.0.0.0/104",
    ]
  ) assert.ok(!isRange(text), text);
});

Deno.test("a range contains what its prefix length says, up to a single address of its family", () => {
  assert.ok(inRanges("10.0.0.1", ["10.0.0.1/32"]) && !inRanges("10.0.0.2", ["10.0.0.1/32"]));
  assert.ok(inRanges("::1", ["::1/128"]) && !inRanges("::2", ["::1/128"]) && !inRanges("::2", ["::1"]));
});

Deno.test("the same IP in other ranges is judged anew, and an invalid range is no range", () => {
  const [own, other] = [["192.0.2.0/24"], ["198.51.100.0/24"]];
  for (const ranges of [own, other, own]) assert.equal(inRanges("192.0.2.1", ranges), ranges === own);
  assert.ok(inRanges("192.0.2.1", ["proxy", ...own]));
});

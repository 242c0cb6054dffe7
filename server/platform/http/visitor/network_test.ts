import assert from "node:assert/strict";
import { isPublicIp, networkOf, networksOf } from "./network.ts";

Deno.test("the addresses of one customer are one network, and those of a home are one in it", () => {
  assert.equal(networkOf("203.0.113.7"), "203.0.113.0/24");
  assert.equal(networkOf("2001:db8:1:2ff:3::4"), "2001:db8:1::/48");
  assert.deepEqual(networksOf("2001:db8:1:2ff:3::4"), ["2001:db8:1::/48", "2001:db8:1:200::/56"]);
  assert.deepEqual(networksOf("203.0.113.7"), ["203.0.113.0/24", "203.0.113.0/24"]);
  assert.deepEqual(networksOf("203.0.112.7"), ["203.0.112.0/24", "203.0.112.0/24"], "another right after");
  assert.deepEqual(networksOf(""), ["", ""], "an unknown IP");
});

Deno.test("a visitor from the internet has no address of a private, local or reserved network", () => {
  for (const ip of ["8.8.8.8", "172.32.0.1", "2606:4700::1111"]) assert.ok(isPublicIp(ip), ip);
  const others = [
    ...["0.0.0.0", "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.1.1", "100.64.0.1"],
    ...[
      "224.0.0.1",
      "255.255.255.255",
      "192.0.2.1",
      "::",
      "::1",
      "fe80::1",
      "fd00::1",
      "ff02::1",
      "",
      "unix",
    ],
  ];
  for (const ip of others) assert.ok(!isPublicIp(ip), ip);
});

import assert from "node:assert/strict";
import { peerOf } from "./peer.ts";

const sent = (address: string) => new Headers({ "x-deno-client-address": address });

Deno.test("the address from the runtime takes precedence over the header", () => {
  assert.equal(peerOf({ hostname: "192.0.2.1" }, sent("198.51.100.7")), "192.0.2.1");
});

Deno.test("on Deno Deploy, the proxy's header counts if the runtime passes on no address", () => {
  const cases = [
    ["198.51.100.7", "198.51.100.7"],
    ["198.51.100.7:51234", "198.51.100.7"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["::ffff:198.51.100.7", "198.51.100.7"],
    ["unknown", undefined],
    ["", undefined],
  ] as const;
  for (const [address, ip] of cases) {
    for (const remote of [{}, { hostname: "" }, undefined]) {
      assert.equal(peerOf(remote, sent(address)), ip, address);
    }
  }
});

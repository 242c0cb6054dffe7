import assert from "node:assert/strict";
import { FIRST, freePort } from "./free_port.ts";

Deno.test("a free port is outside the range that the system gives to outgoing connections and to port 0", async () => {
  const range = await Deno.readTextFile("/proc/sys/net/ipv4/ip_local_port_range").catch(() => "32768\t60999");
  const [first, last] = range.trim().split(/\s+/).map(Number);
  for (let i = 0; i < 200; i++) {
    const port = freePort();
    assert.ok(port < first! || port > last!, `${port}`);
  }
});

Deno.test("no port is returned again before many others", () => {
  const ports = Array.from({ length: 900 }, freePort);
  assert.equal(new Set(ports).size, 900);
});

Deno.test("every free port is one that browsers and fetch connect to", async () => {
  const refused = [6_000, 6_566, 6_665, 6_669, 6_679, 6_697, 10_080];
  for (const port of refused) {
    assert.ok(port < FIRST, `${port}`);
    await assert.rejects(fetch(`http://127.0.0.1:${port}`), /blocked/);
  }
});

import assert from "node:assert/strict";
import { freePort } from "./free_port.ts";

Deno.test("a free port is outside the range that the system gives to outgoing connections and to port 0", async () => {
  const range = await Deno.readTextFile("/proc/sys/net/ipv4/ip_local_port_range").catch(() => "32768\t60999");
  const [first, last] = range.trim().split(/\s+/).map(Number);
  for (let i = 0; i < 200; i++) {
    const port = freePort();
    assert.ok(port < first! || port > last!, `${port}`);
  }
});

Deno.test("no two of many processes get the same port at the same time", async () => {
  const code = `import { freePort } from ${JSON.stringify(import.meta.resolve("./free_port.ts"))};
    console.log(Array.from({ length: 300 }, freePort).join());`;
  const outputs = await Promise.all(
    Array.from(
      { length: 3 },
      () =>
        new Deno.Command(Deno.execPath(), { args: ["eval", "--quiet", code], stderr: "inherit" }).output(),
    ),
  );
  const ports = outputs.flatMap(({ stdout }) => new TextDecoder().decode(stdout).trim().split(","));
  assert.deepEqual([ports.length, new Set(ports).size], [900, 900]);
});

import assert from "node:assert/strict";

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

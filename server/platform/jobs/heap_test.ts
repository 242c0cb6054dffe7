import assert from "node:assert/strict";

const MAX_BYTES = 2_000_000;

Deno.test("after 20,000 jobs the live heap has grown by less than 2 MB", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--v8-flags=--expose-gc",
      new URL("testing/heap_of_jobs.ts", import.meta.url).href,
    ],
    env: { OTEL_DENO: "false" },
  }).output();
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.equal(code, 0, error);
  const grown = Number(out);
  assert(grown < MAX_BYTES, `${grown} bytes more than before`);
});

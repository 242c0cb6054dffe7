import assert from "node:assert/strict";
import { startFaulty } from "../../../dev/testing/faulty/faulty.ts";
import { ClientError } from "./error.ts";
import { remote } from "./remote.ts";

Deno.test("a command that the server executes before the connection breaks is sent once, and the error says that it may have run", async () => {
  await using server = await startFaulty(() => Response.json({ ok: true }));
  const service = remote(server.url, "token");
  for (
    const run of [
      () => service.act("cfbe_pause", {}),
      () => service.query("status", { email: "ann@example.com" }),
      () => service.poll(() => {}),
    ]
  ) {
    await server.keepOpen();
    server.fail("resets after storing");
    await assert.rejects(run(), ClientError);
  }
  assert.deepEqual(server.received.map(({ method, target }) => `${method} ${target}`), [
    "POST /admin/ajax?action=cfbe_pause",
    "POST /ops/status",
    "POST /ops/poll",
  ]);
});

Deno.test("if a service stops while it sends a backup or a poll's progress, the error names it and says what happened", async () => {
  await using server = await startFaulty(() => new Response(`{"lists":1}\n`.repeat(1000)));
  const service = remote(server.url, "token");
  const backup = async () => {
    for await (const _ of await service.backup());
  };
  for (const run of [backup, () => service.poll(() => {})]) {
    server.fail("cuts the response off");
    await assert.rejects(run(), (error) => {
      assert(error instanceof ClientError);
      assert.match(error.message, /stopped before its response was complete/);
      return true;
    });
  }
});

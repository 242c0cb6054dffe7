import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { eventually } from "../../../../dev/testing/eventually.ts";
import { memoryLog } from "../../../../dev/testing/memory_log.ts";
import { watchListener } from "./watch_listener.ts";

const STALL_MS = 1_200;

Deno.test("a listener that accepts is not reopened after the whole process stood still during a check", async () => {
  let accepted = 0;
  let checks = 0;
  const server = createServer((socket) => {
    accepted++;
    socket.resume();
  });
  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const log = memoryLog();
  const watch = watchListener({
    ...{ server, hostname: "127.0.0.1", port, everyMs: 10, log },
    takeAccepted() {
      // The first call begins the check. The second one comes before the connection of the check is accepted.
      if (++checks === 2) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
        return 0;
      }
      const count = accepted;
      accepted = 0;
      return count;
    },
  });
  await eventually("several checks have ended", () => checks > 6);
  await watch.stop();
  assert.deepEqual(log.of("listener.reopened"), []);
  server.close();
  await once(server, "close");
});

import assert from "node:assert/strict";
import { Hono } from "hono";
import { memoryLog } from "../../dev/testing/memory_log.ts";
import { createBackground } from "./account/background.ts";
import { localFetch } from "./local_fetch.ts";

Deno.test("closing waits for a call whose caller has stopped waiting, because it uses the database", async () => {
  const finish = Promise.withResolvers<void>();
  let ended = false;
  const app = new Hono().get("/api/slow", async (c) => {
    await finish.promise;
    ended = true;
    return c.text("late");
  });
  const background = createBackground(memoryLog());
  const fetch = localFetch(app, { base: "https://news.example/api", outside: assert.fail, background });
  const caller = new AbortController();
  const call = fetch("https://news.example/api/slow", { signal: caller.signal });
  caller.abort(new Error("too late"));
  await assert.rejects(call, /too late/);
  const endedBefore = background.close().then(() => ended);
  setTimeout(finish.resolve);
  assert.equal(await endedBefore, true);
});

import assert from "node:assert/strict";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";
import { createWatchedChanges } from "./watched_changes.ts";

/** A server whose row can be watched, with one process that follows it. */
function followed({ begins = true, refuses = false } = {}) {
  const clock = new ManualClock();
  const watches = new Set<ReadableStreamDefaultController>();
  const counts = { watches: 0, heard: 0 };
  const server = { begins, refuses };
  const changes = createWatchedChanges({
    clock,
    watch() {
      counts.watches++;
      if (server.refuses) throw new TypeError("watch is not supported");
      let own: ReadableStreamDefaultController;
      return new ReadableStream({
        start(controller) {
          watches.add(own = controller);
          if (server.begins) controller.enqueue("as it is");
        },
        cancel: () => void watches.delete(own),
      });
    },
    touch() {
      if (server.refuses) return Promise.reject(new TypeError("gone"));
      for (const watch of watches) watch.enqueue("changed");
      return Promise.resolve();
    },
  });
  const ended = new AbortController();
  changes.follow(() => counts.heard++, ended.signal);
  return {
    ...{ clock, changes, counts, server, watches },
    lose: () => [...watches].forEach((watch) => (watches.delete(watch), watch.error(new TypeError("lost")))),
    end: () => ended.abort("ended"),
  };
}

Deno.test("a process hears when its watch begins, and of each change", async () => {
  const { clock, changes, counts, watches, end } = followed();
  assert.equal(changes.arrive(), undefined);
  await clock.advance(0);
  assert.deepEqual(counts, { watches: 1, heard: 1 });
  assert.equal(changes.arrive(), true);
  await changes.announce();
  await clock.advance(0);
  assert.equal(counts.heard, 2);
  end();
  await clock.advance(0);
  assert.equal(watches.size, 0, "nothing is watched any more");
});

Deno.test("a watch that breaks is begun again, and whoever follows hears, because a change may have been missed", async () => {
  const { clock, changes, counts, lose, end } = followed();
  await clock.advance(0);
  lose();
  await clock.advance(0);
  assert.equal(changes.arrive(), false);
  await clock.advance(100);
  assert.deepEqual(counts, { watches: 2, heard: 2 });
  assert.equal(changes.arrive(), true);
  end();
});

Deno.test("a server that accepts a watch and shows nothing is known after five seconds, and its watch is ended", async () => {
  const { clock, changes, counts, watches, end } = followed({ begins: false });
  await clock.advance(4_999);
  assert.deepEqual([changes.arrive(), watches.size], [undefined, 1]);
  await clock.advance(1);
  assert.deepEqual([changes.arrive(), watches.size, counts.heard], [false, 0, 0]);
  end();
});

Deno.test("while no watch can be made, a process waits longer and longer, up to a minute, and its own announcements never reject", async () => {
  const { clock, changes, counts, server, end } = followed({ refuses: true });
  await clock.advance(60 * 60_000);
  assert.ok(counts.watches > 60 && counts.watches < 75, String(counts.watches));
  await changes.announce();
  server.refuses = false;
  await clock.advance(60_000);
  assert.equal(changes.arrive(), true);
  end();
});

import assert from "node:assert/strict";
import { erasePersonJob } from "./erase_job.ts";
import { includedAt } from "./personal_data.ts";

type Payload = ReturnType<typeof erasePersonJob>["payload"];

const EMAIL = "ada@example.com";
const job = (payload: Omit<Payload, "email">) => erasePersonJob("person", { email: EMAIL, ...payload });

/** Returns the payload of two requests that share a job. */
function merged(older: Omit<Payload, "email">, newer: Omit<Payload, "email">): Payload {
  const { merge, payload } = job(newer);
  return merge(job(older).payload, payload);
}

Deno.test("of two requests that share a job, a provider that one includes stays included", () => {
  const included = (older: boolean, newer: boolean) =>
    merged({ provider: older }, { provider: newer }).provider;
  assert.deepEqual(
    [included(true, true), included(true, false), included(false, true), included(false, false)],
    [true, true, true, false],
  );
});

Deno.test("two requests that share a job erase what is not newer than the later of them, also here", () => {
  const provider = true;
  const times: [older: number | undefined, newer: number | undefined, both: number | undefined][] = [
    [5, 3, 5],
    [3, 5, 5],
    [undefined, 3, 3],
    [3, undefined, 3],
    [undefined, undefined, undefined],
  ];
  const at = (requestedAt: number | undefined) => ({
    provider,
    ...(requestedAt !== undefined && { requestedAt }),
  });
  for (const [older, newer, both] of times) {
    assert.deepEqual(merged({ ...at(older), isErasedHere: true }, at(newer)), { email: EMAIL, ...at(both) });
  }
});

Deno.test("requests for one person share a job at each provider, and no job with other people", () => {
  assert.equal(job({ provider: true, at: "kit" }).id, job({ provider: false, at: "kit" }).id);
  const ids = [
    job({ provider: true, at: "kit" }),
    job({ provider: true, at: "brevo" }),
    job({ provider: false }),
  ];
  const others = erasePersonJob("another", { email: EMAIL, provider: true, at: "kit" });
  assert.equal(new Set([...ids, others].map(({ id }) => id)).size, 4);
});

Deno.test("an erasure includes what is as old as its request, and what a clock ahead has dated", () => {
  const now = Date.UTC(2026, 0, 1);
  const includes = includedAt(now - 10, now);
  assert.deepEqual([now - 11, now - 10, now - 9, now].map(includes), [true, true, false, false]);
  assert.ok(includes(now + 365 * 24 * 60 * 60 * 1000));
});

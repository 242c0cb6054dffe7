import assert from "node:assert/strict";
import fc from "fast-check";
import { keys } from "../../platform/kv/keys.ts";
import { type Harness, harness } from "../../../dev/testing/harness.ts";

/** Requests with and without the memory of full limits: it must change nothing but the cost. */

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

type Step =
  | { do: "post"; ip: number; email: string; token?: string }
  | { do: "hook"; ip: number }
  | { do: "pass"; ms: number }
  | { do: "set back"; ms: number }
  | { do: "site limit"; max: number };

const ip = fc.constantFrom(1, 1, 1, 2, 3, 4);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        do: fc.constant("post" as const),
        ip,
        email: fc.constantFrom("ada@example.com", "eve@example.com", "bob@example.com", "none"),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("post" as const),
        ip,
        email: fc.constant("x"),
        token: fc.constant(""),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("pass" as const),
        ms: fc.oneof(
          fc.nat(8 * SECOND),
          fc.integer({ min: 52 * SECOND, max: 61 * SECOND }),
          fc.nat(700 * SECOND),
        ),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("set back" as const),
        ms: fc.oneof(fc.nat(60 * SECOND), fc.nat(5 * HOUR)),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("site limit" as const), max: fc.constantFrom(0, 2, 3, 30) }),
    },
  ),
  { minLength: 20, maxLength: 60 },
);

async function run(steps: readonly Step[], { remembers }: { remembers: boolean }) {
  let siteLimit = 3;
  await using app = await harness({ file: { filters: { cfbe_signup_site_limit: () => siteLimit } } });
  if (!remembers) app.services.fullLimits.note = () => {};
  const answers = [];
  for (const step of steps) {
    if (step.do === "pass") await app.clock.advance(step.ms);
    else if (step.do === "set back") app.clock.set(app.clock.now() - step.ms);
    else if (step.do === "site limit") siteLimit = step.max;
    else answers.push(await answerTo(app, step));
  }
  const logs = await Array.fromAsync(app.kv.list({ prefix: keys.log("", "").slice(0, -2) }));
  return { answers, logs: logs.map(({ key, value }) => ({ key, value })), reads: app.counts.reads };
}

async function answerTo(app: Harness, step: Step & { do: "post" | "hook" }) {
  const peer = `192.0.2.${step.ip}`;
  const response = step.do === "hook"
    ? await app.hook({ type: "open" }, {}, peer)
    : await app.post({ email: step.email, ...(step.token !== undefined && { cfbe_token: step.token }) }, {
      peer,
    });
  return [response.status, response.headers.get("retry-after"), await response.json()];
}

Deno.test("remembering full limits changes no response, no Retry-After and no stored limit, however the clock jumps", async () => {
  let saved = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { reads: without, ...expected } = await run(steps, { remembers: false });
      const { reads, ...found } = await run(steps, { remembers: true });
      assert.deepEqual(found, expected);
      saved += without - reads;
    }),
    { numRuns: 40 },
  );
  assert.ok(saved > 0, "the memory saved no read");
});

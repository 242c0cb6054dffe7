import assert from "node:assert/strict";
import fc from "fast-check";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { FUZZ, nearText, nearValue } from "../../../dev/testing/near.ts";
import { text } from "../../../dev/testing/odd_requests.ts";
import { PROVIDERS } from "../providers.ts";
import { PORT_CALLS } from "../testing/port_calls.ts";

const NOW = Date.UTC(2025, 0, 2);
/** Of all inputs, the providers get about as many as each parser (`parsers_fuzz_test.ts`). */
const SHARE = 20;

function fitsInHeader(value: string): boolean {
  try {
    new Headers({ "retry-after": value });
    return true;
  } catch {
    return false;
  }
}

Deno.test("a provider that lies breaks no call: whatever it responds, each call returns a result after a few requests", async () => {
  const responses = fc.record({
    status: fc.constantFrom(
      200,
      201,
      202,
      204,
      301,
      303,
      304,
      400,
      401,
      403,
      404,
      409,
      413,
      418,
      422,
      429,
      451,
      500,
      502,
      503,
      599,
    ),
    type: fc.constantFrom("application/json", "text/html", "", "application/json; charset=utf-16"),
    body: fc.oneof(
      nearValue({
        result: { status: "active", email: "ada@example.com" },
        id: 7,
        items: [{ email: "ada@example.com" }],
        count: 1,
      })
        .map(text),
      nearValue({
        data: { id: "x", attributes: { email: "ada@example.com", subscriptions: {} }, results: [] },
        total: 1,
      }).map(text),
      nearText('{"status":"subscribed","contact_id":"x","members":[]}', "<html></html>", ""),
    ),
    wait: fc.option(
      nearText("120", "Wed, 21 Oct 2026 07:28:00 GMT").filter(fitsInHeader),
    ),
  });
  const clock = new ManualClock(NOW);
  const given = { target: { email: "ada@example.com", list: "42" }, template: "7", secretKey: "secret" };
  const kinds = Object.entries(PROVIDERS);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...kinds),
      fc.constantFrom(...Object.entries(PORT_CALLS)),
      fc.array(responses, { minLength: 1, maxLength: 3 }),
      async ([kind, module], [name, call], all) => {
        let at = 0;
        const provider = await module.create({
          settings: () =>
            Object.fromEntries(Object.keys(module.fields).map((field) => [field, "42"])) as never,
          url: "https://provider.example",
          clock,
          fetch: () => {
            const { status, type, body, wait } = all[at++ % all.length]!;
            const headers = {
              ...(type && { "content-type": type }),
              ...(wait !== null && { "retry-after": wait }),
            };
            const isEmpty = status === 204 || status === 304;
            return Promise.resolve(new Response(isEmpty ? null : body, { status, headers }));
          },
        });
        const result = await call.run(provider, given);
        assert.equal(typeof result.kind, "string", `${name} of ${kind}`);
        assert.ok(at < 200, `${name} of ${kind} sent ${at} requests`);
      },
    ),
    { numRuns: Math.ceil(FUZZ.inputs / SHARE), seed: FUZZ.seed },
  );
});

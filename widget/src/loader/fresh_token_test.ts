import assert from "node:assert/strict";
import { replaceToken } from "./doubt.ts";
import { DOUBT_MS, freshToken } from "./fresh_token.ts";

const HOUR = 3_600_000;

/** Fetches tokens of these ages, by this clock, one after the other. */
async function fetching(...ages: number[]) {
  const queries: string[] = [];
  const warnings: string[] = [];
  const start = Date.now();
  const token = (age: number) => `${start - age}.signature`;
  const get = (query: string) => Promise.resolve(token(ages[queries.push(query) - 1]!));
  const warn = (message: string) => warnings.push(message);
  const doubt = {
    replaceToken: (...[get, first]: Parameters<typeof replaceToken>) => replaceToken(get, first, warn),
  };
  const got = await freshToken(get, () => Promise.resolve(doubt)).catch((error: Error) => error.message);
  return { got: ages.findIndex((age) => token(age) === got), error: got, queries, warnings };
}

Deno.test("a token of this moment is taken as it comes, without a query", async () => {
  const { got, queries, warnings } = await fetching(20);
  assert.equal(got, 0);
  assert.deepEqual(queries, [""]);
  assert.deepEqual(warnings, []);
});

Deno.test("a token that a cache kept is replaced by one from an address no cache has seen, and the page told", async () => {
  const { got, queries, warnings } = await fetching(3 * HOUR, 0);
  assert.equal(got, 1);
  assert.match(queries[1]!, /^&\d+$/);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /^\[cfbe\] .*cache.*form-token/);
});

for (const [clock, off] of [["behind", -5 * HOUR], ["ahead", 5 * HOUR]] as const) {
  Deno.test(`a visitor's clock that is ${clock} accuses no cache`, async () => {
    const { got, queries, warnings } = await fetching(off, off - 200);
    assert.equal(got, 1);
    assert.equal(queries.length, 2);
    assert.deepEqual(warnings, []);
  });

  Deno.test(`a visitor's clock that is ${clock} hides no cache`, async () => {
    const { got, warnings } = await fetching(off + 3 * HOUR, off);
    assert.equal(got, 1);
    assert.equal(warnings.length, 1);
  });
}

Deno.test("a cache that can't be got round is told, and its token never sent", async () => {
  const { error, warnings } = await fetching(3 * HOUR, 3 * HOUR);
  assert.equal(error, "stale token");
  assert.equal(warnings.length, 1);
});

Deno.test("what is too young to be doubted is still far from the server's two hours when it is renewed", async () => {
  const { REFRESH_AFTER_MS } = await import("../signup/token.ts");
  assert.ok(DOUBT_MS + REFRESH_AFTER_MS < 2 * HOUR - 20 * 60_000);
});

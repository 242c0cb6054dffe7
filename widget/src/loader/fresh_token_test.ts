import assert from "node:assert/strict";
import type { FormChallenge, FormToken } from "../../../shared/contract.ts";
import { fetchFreshToken, MAX_CLOCK_DIFFERENCE_MS } from "./fresh_token.ts";
import { start as startSpecialToken } from "./special_token.ts";

const HOUR = 3_600_000;

/** Fetches a token from a server that returns tokens of these ages, in milliseconds, one after the other. */
async function fetchWithAges(...ages: number[]) {
  const paths: string[] = [];
  const warnings: string[] = [];
  const start = Date.now();
  const token = (age: number) => `${start - age}.signature`;
  const fetchJson = (path: string): Promise<[number, FormToken]> =>
    Promise.resolve([200, { token: token(ages[paths.push(path) - 1]!) }]);
  const part = {
    start: (...[fetchJson, path, answer]: Parameters<typeof startSpecialToken>) =>
      startSpecialToken(fetchJson, path, answer, (message) => warnings.push(message)),
  };
  const got = await fetchFreshToken(fetchJson, "footer", () => Promise.resolve(part))
    .catch((error: Error) => error.message);
  return { got: ages.findIndex((age) => token(age) === got), error: got, paths, warnings };
}

Deno.test("a fresh token is used as it is, and its URL has no suffix", async () => {
  const { got, paths, warnings } = await fetchWithAges(20);
  assert.equal(got, 0);
  assert.deepEqual(paths, ["/wp-json/cfbe/v1/form-token?form=footer"]);
  assert.deepEqual(warnings, []);
});

Deno.test("a cached token is replaced by one from a URL that no cache has seen, with a warning", async () => {
  const { got, paths, warnings } = await fetchWithAges(3 * HOUR, 0);
  assert.equal(got, 1);
  assert.match(paths[1]!, /form-token\?form=footer&\d+$/);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /^\[cfbe\] .*cache.*form-token/);
});

for (const [clock, off] of [["behind", -5 * HOUR], ["ahead", 5 * HOUR]] as const) {
  Deno.test(`a visitor's clock that is ${clock} causes no false warning`, async () => {
    const { got, paths, warnings } = await fetchWithAges(off, off - 200);
    assert.equal(got, 1);
    assert.equal(paths.length, 2);
    assert.deepEqual(warnings, []);
  });

  Deno.test(`a visitor's clock that is ${clock} does not hide a cache`, async () => {
    const { got, warnings } = await fetchWithAges(off + 3 * HOUR, off);
    assert.equal(got, 1);
    assert.equal(warnings.length, 1);
  });
}

Deno.test("a cache that cannot be bypassed causes a warning, and its token is never sent", async () => {
  const { error, warnings } = await fetchWithAges(3 * HOUR, 3 * HOUR);
  assert.equal(error, "stale token");
  assert.equal(warnings.length, 1);
});

Deno.test("a cached token that goes undetected is renewed well before the server's two hours", async () => {
  const { REFRESH_AFTER_MS } = await import("../signup/token.ts");
  assert.ok(MAX_CLOCK_DIFFERENCE_MS + REFRESH_AFTER_MS < 2 * HOUR - 20 * 60_000);
});

Deno.test("the challenge of a cached token is not solved, because another token replaces it", async () => {
  const answers: FormToken[] = [
    { token: `${Date.now() - 3 * HOUR}.a`, challenge: {} as FormChallenge },
    { token: `${Date.now()}.b` },
  ];
  const fetchJson = () => Promise.resolve<[number, FormToken]>([200, answers.shift()!]);
  const part = {
    start: (...of: Parameters<typeof startSpecialToken>) => startSpecialToken(of[0], of[1], of[2], () => {}),
  };
  assert.match(await fetchFreshToken(fetchJson, "footer", () => Promise.resolve(part)), /\.b$/);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { NAMESPACE } from "../../shared/contract.ts";
import {
  bytes,
  headers,
  hookBody,
  method,
  path,
  query,
  raw,
  subscribeBody,
  text,
} from "../../dev/testing/odd_requests.ts";
import { FUZZ } from "../../dev/testing/near.ts";
import { startProgram } from "../../dev/testing/program.ts";

/** Sends random requests to every route over real HTTP: nothing breaks, and the counters add up. */

const TOKEN = "the-token-of-the-operator";
/** A request costs as much as 66 inputs of a parser. */
const RUNS = Math.ceil(FUZZ.inputs / 66);

function check(status: number, body: string, where: string, json: boolean) {
  assert.ok(status < 500, `${status} at ${where}: ${body}`);
  assert.doesNotMatch(body, /\n\s+at .*\.ts|file:\/\/\/|node_modules/, where);
  if (json && status >= 400 && body !== "") assert.equal(typeof JSON.parse(body), "object", where);
}

Deno.test("no bytes, JSON, headers, tokens or paths break a route, and every subscribe request is counted", async () => {
  const env = { CFBE_API_TOKEN: TOKEN };
  await using program = await startProgram({ env, file: { filters: { cfbe_signup_site_limit: () => 0 } } });
  const { project, apiKey, list } = await program.sandbox!.provision();
  let subscribed = 0;
  let sent = 0;

  async function send(where: string, init: RequestInit) {
    const target = where.replace("PROJECT", project).replace("LIST", list);
    let url: URL;
    let checkedInit: RequestInit;
    try {
      url = new URL(program.baseUrl + target);
      checkedInit = { ...init, headers: new Headers(init.headers), redirect: "manual" };
    } catch {
      return; // No client can send this.
    }
    sent++;
    const isSubscribe = init.method === "POST" && url.pathname === `${NAMESPACE}/subscribe`;
    if (isSubscribe) subscribed++;
    const response = await fetch(url, checkedInit);
    const body = await response.text();
    check(response.status, body, `${init.method} ${url.pathname}`, url.pathname.startsWith(NAMESPACE));
    if (url.pathname.startsWith(NAMESPACE)) assert.equal(response.headers.get("cache-control"), "no-store");
  }
  const bodyOf = (structured: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 4, arbitrary: structured.map(text) }, raw, bytes, fc.json());
  const ip = fc.nat(5).map((last) => `198.51.100.${last}`);

  await fc.assert(
    fc.asyncProperty(bodyOf(subscribeBody(program)), headers, ip, async (body, own, from) => {
      await send(`${NAMESPACE}/subscribe`, { method: "POST", body, headers: { "x-real-ip": from, ...own } });
    }),
    { numRuns: RUNS, seed: FUZZ.seed },
  );
  await fc.assert(
    fc.asyncProperty(bodyOf(hookBody), headers, ip, fc.boolean(), async (body, own, from, known) => {
      const authorization = known ? { authorization: `Bearer ${apiKey}` } : {};
      await send(`${NAMESPACE}/provider-hook`, {
        method: "POST",
        body,
        headers: { "x-real-ip": from, ...own, ...authorization },
      });
    }),
    { numRuns: RUNS, seed: FUZZ.seed },
  );
  const origin = new URL(program.baseUrl).origin;
  const keys = fc.constantFrom<Record<string, string>>(
    { origin },
    { authorization: `Bearer ${TOKEN}` },
    { authorization: `Bearer ${apiKey}` },
  );
  await fc.assert(
    fc.asyncProperty(
      path,
      query,
      method,
      headers,
      keys,
      bodyOf(fc.anything()),
      async (where, search, verb, own, key, body) => {
        const init = {
          method: verb,
          headers: { ...own, ...key },
          ...(/GET|HEAD/.test(verb) ? {} : { body }),
        };
        await send(where + search, init);
      },
    ),
    { numRuns: 2 * RUNS, seed: FUZZ.seed },
  );

  const { requests, ...entries } = await program.services.counters.totals();
  const counted = Object.entries(entries).filter(([entry]) =>
    !entry.startsWith("note.") && !entry.endsWith("hook_ip")
  );
  assert.deepEqual(program.lines.filter((line) => /"\w+\.failed"/.test(line)), []);
  assert.ok(sent > 3 * RUNS);
  assert.equal(requests, subscribed);
  assert.equal(counted.reduce((sum, [, count]) => sum + count, 0), subscribed);
  assert.equal(entries["rejected.error"], undefined);
  for (const entry of ["accepted", "invalid.fields", "dropped.honeypot", "rate_limited.ip"]) {
    assert.ok(entries[entry]! > 0, `${entry} in ${Deno.inspect(entries)}`);
  }
});

/** The program as users start it, in attack mode, with its own clock: how long visitors wait while bots keep sending. */
import assert from "node:assert/strict";
import { type FormToken, NAMESPACE } from "../../shared/contract.ts";
import { runProgram } from "../program.ts";
import { solve } from "./solve.ts";

const BOTS_PER_SECOND = 40;
const VISITORS = 25;
const VISITOR_EVERY_MS = 1_000;
/** Tokens that are issued so long after the begin of an attack are not from before it. */
const BEGINS_MS = 20_000;
const TOKEN_MS = 3_500;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test(`while bots send ${BOTS_PER_SECOND} signups a second, all visitors are accepted; how long they wait is printed`, async () => {
  await using program = await runProgram();
  const from = (ip: string, path: string, init: RequestInit = {}) =>
    fetch(program.baseUrl + path, { ...init, headers: { ...init.headers, "x-forwarded-for": ip } });
  const signUp = (ip: string, email: string, token: string) =>
    from(ip, `${NAMESPACE}/subscribe`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ source: "shortcode", email, cfbe_token: token }),
    });
  const fetchToken = async (ip: string) =>
    await (await from(ip, `${NAMESPACE}/form-token`)).json() as FormToken;
  await program.cfbe("settings", "set", "privacy.ipSource", "x-forwarded-for");
  await program.cfbe("settings", "set", "privacy.attackMode", "on");
  assert.ok((await fetchToken("11.0.0.1")).challenge, "attack mode is on");
  await sleep(BEGINS_MS);

  let sent = 0;
  const answers = new Set<string>();
  const attack = new AbortController();
  async function bots() {
    const { token } = await fetchToken("11.0.0.2");
    await sleep(TOKEN_MS);
    while (!attack.signal.aborted) {
      const n = sent++;
      const ip = `${12 + n % 80}.${n % 250}.${Math.floor(n / 250)}.9`;
      void signUp(ip, `stranger${n}@example.com`, token)
        .then(async (response) => answers.add(`${response.status} ${await response.text()}`));
      await sleep(1_000 / BOTS_PER_SECOND);
    }
  }
  const times: number[] = [];
  async function visitor(n: number) {
    const ip = `93.${n}.7.1`;
    const { token, challenge } = await fetchToken(ip);
    await sleep(TOKEN_MS);
    const begin = performance.now();
    const response = await signUp(ip, `visitor${n}@example.com`, `${token}.${solve(challenge!)}`);
    answers.add(`${response.status} ${await response.text()}`);
    times.push(performance.now() - begin);
  }
  const attacking = bots();
  await sleep(TOKEN_MS);
  const visits: Promise<void>[] = [];
  for (let n = 0; n < VISITORS; n++) {
    visits.push(visitor(n));
    await sleep(VISITOR_EVERY_MS);
  }
  await Promise.all(visits);
  attack.abort();
  await attacking;
  await sleep(TOKEN_MS);

  const accepted = await Promise.all(
    Array.from({ length: VISITORS }, (_, n) => program.status(`visitor${n}@example.com`)),
  );
  const strangers = await program.status("stranger1@example.com");
  const sorted = times.toSorted((a, b) => a - b);
  const percentile = (part: number) => sorted[Math.ceil(sorted.length * part) - 1]!.toFixed(0);
  console.log(
    `  ${sent} bots with the program's own clock; visitors ${
      accepted.filter(({ length }) => length > 0).length
    } of ${VISITORS}, p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms with the usual minimum time`,
  );
  assert.ok(accepted.every(({ length }) => length === 1));
  assert.equal(strangers.length, 0);
  assert.equal(answers.size, 1, "bots and visitors get the same response");
});

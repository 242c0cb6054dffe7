import { fileURLToPath } from "node:url";
import { createKeyring } from "../../../server/platform/keys/keyring.ts";
import { createChallenge } from "../../../server/platform/attack/challenge.ts";
import { systemRandom } from "../../../server/platform/deps.ts";
import { issueToken } from "../../../server/platform/keys/form_token.ts";
import type { Bench } from "../bench.ts";
import { connect, type HttpRequest } from "../connection.ts";
import { openLoop } from "../load.ts";
import { startProviderDouble } from "../provider.ts";
import { startServer } from "../server.ts";
import { postSignup, type Standing, visitor } from "../signups.ts";
import { type Probe, toldApart } from "../told_apart.ts";

const SALT = "a-salt-for-benchmarks-0123456789abcdef";
const FLOOR_MS = 75;
/** Uniform from 0 to 50 ms (decision 12); the measured server has none. */
const JITTER_VARIANCE = 50 ** 2 / 12;
const PER_MEAN = 64;
const HOUR_MS = 3_600_000;

/** So few that the attacker's own requests are no load. */
const ATTACKERS = 4;
/** Of each kind, at most: each connection waits for the minimum response time. */
const REQUESTS_PER_MINUTE = ATTACKERS * 60_000 / FLOOR_MS / 8;
const LOAD_PER_SECOND = 60;
const BURST = { perSecond: 400, lastsMs: 5_000, everyMs: 25_000 };
/** A mailbox may sign up three times an hour: once before the attack, then twice. */
const PER_MAILBOX = 2;
const FILL_PER_SECOND = 200;

/** After attack mode was turned on, tokens from before need no proof for so long (`attack_mode.ts`). */
const ATTACK_BEGINS_MS = 20_000;
/** In attack mode, a form's token is younger than the attack. */
const YOUNG_HOURS = 4 / 3600;

const PHASES = ["idle", "load", "burst", "after", "attack"] as const;
type Phase = typeof PHASES[number];

/** An attack on the time of responses: who signed up before, and which requests are dropped? */
export const neutral: Bench = {
  rounds: 1,
  async open(checkout, { quick }) {
    await using stack = new AsyncDisposableStack();
    const phaseMs = (quick ? 1 : 8) * 60_000;
    const rounds = Math.ceil(2 * phaseMs / BURST.everyMs);
    const attackMs = 3 * phaseMs + rounds * BURST.everyMs;
    const provider = stack.use(await startProviderDouble());
    const server = stack.use(
      await startServer(checkout, {
        provider: provider.url,
        env: { CFBE_SALT: SALT, CFBE_ANSWER_FLOOR_MS: String(FLOOR_MS) },
        preload: fileURLToPath(new URL("../../no_jitter.ts", import.meta.url)),
      }),
    );
    const { url } = server;
    const keyring = createKeyring([SALT]);
    const tokenOfAge = (hours: number) => issueToken(keyring, Date.now() - hours * HOUR_MS);
    let token = tokenOfAge(0.5);
    const renewed = setInterval(() => token = tokenOfAge(0.5), HOUR_MS);
    stack.defer(() => clearInterval(renewed));

    let provesTokens = false;
    /** Returns a token; in attack mode a young one with its proof, as a form sends it. */
    function tokenToSend(): string {
      if (!provesTokens) return token;
      const young = tokenOfAge(YOUNG_HOURS);
      const random = {
        bytes: (length: number) => length === 4 ? new Uint8Array(4) : systemRandom.bytes(length),
      };
      const { maxnumber: _, ...challenge } = createChallenge({ keyring, random }, young, Date.now());
      return `${young}.${btoa(JSON.stringify({ ...challenge, number: 0 }))}`;
    }

    let visitors = 0;
    const newcomer = () => visitor(++visitors);
    const signup = () => postSignup(newcomer(), tokenToSend());

    const known = async (standing: Standing) => {
      const count = Math.ceil(REQUESTS_PER_MINUTE * attackMs / 60_000 / PER_MAILBOX);
      const people = Array.from({ length: count }, () => visitor(++visitors, standing));
      let sent = 0;
      await openLoop({
        url,
        perSecond: FILL_PER_SECOND,
        count,
        next: () => postSignup(people[sent++]!, tokenToSend()),
      });
      let asked = 0;
      return () => {
        const { email } = people[asked++ % count]!;
        return postSignup({ email, ip: newcomer().ip }, tokenToSend());
      };
    };
    const changed = (change: Record<string, unknown>) => {
      const request = signup();
      return { ...request, body: JSON.stringify({ ...JSON.parse(request.body), ...change }) };
    };
    const kinds: Record<string, () => HttpRequest> = {
      new: signup,
      repeated: await known("visitor"),
      active: await known("active"),
      suppressed: await known("suppressed"),
      honeypot: () => changed({ cfbe_hp: "https://spam.example" }),
      "no token": () => changed({ cfbe_token: undefined }),
      "forged token": () => changed({ cfbe_token: token.slice(0, -4) + "AAAA" }),
      "stale token": () => changed({ cfbe_token: tokenOfAge(3) }),
    };
    const running = stack.move();

    /** Sends requests of all kinds, each kind equally often in random order, as long as `until` is pending. */
    async function attack(until: Promise<unknown>): Promise<Probe[]> {
      const probes: Probe[] = [];
      let open = true;
      const names = Object.keys(kinds);
      const closed = until.finally(() => open = false);
      closed.catch(() => {});
      let order: string[] = [];
      await Promise.all(Array.from({ length: ATTACKERS }, async () => {
        const connection = await connect(url);
        while (open) {
          if (order.length === 0) order = shuffled(names);
          const kind = order.pop()!;
          const request = kinds[kind]!();
          const [at, start] = [Date.now(), performance.now()];
          const response = await connection.send(request);
          if (response.status !== 200) throw new Error(`${kind}: ${response.status} ${response.body}`);
          probes.push({ kind, at, took: performance.now() - start });
        }
        connection.close();
      }));
      await closed;
      return probes;
    }

    const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

    async function underBursts(): Promise<Record<"burst" | "after", Probe[]>> {
      const bursts: number[] = [];
      const load = (async () => {
        for (let round = 0; round < rounds; round++) {
          bursts.push(Date.now());
          const count = BURST.perSecond * BURST.lastsMs / 1000;
          await openLoop({ url, perSecond: BURST.perSecond, count, next: signup });
          await sleep(BURST.everyMs - BURST.lastsMs);
        }
      })();
      const [probes] = await Promise.all([attack(load), load]);
      const during = (at: number) => bursts.some((start) => at >= start && at < start + BURST.lastsMs);
      return {
        burst: probes.filter(({ at }) => during(at)),
        after: probes.filter(({ at }) => !during(at)),
      };
    }

    /** Attack mode, with three more kinds: signups without a proof, with a used one and with a forged one. */
    async function inAttackMode(): Promise<Probe[]> {
      await server.ask("attackMode on");
      await sleep(ATTACK_BEGINS_MS);
      provesTokens = true;
      const used = tokenToSend();
      const connection = await connect(url);
      await connection.send(postSignup(newcomer(), used));
      connection.close();
      Object.assign(kinds, {
        "no proof": () => changed({ cfbe_token: tokenOfAge(YOUNG_HOURS) }),
        "used proof": () => changed({ cfbe_token: used }),
        "forged proof": () => changed({ cfbe_token: `${tokenOfAge(YOUNG_HOURS)}.${btoa("{}")}` }),
      });
      return await attack(
        openLoop({
          url,
          perSecond: LOAD_PER_SECOND,
          count: LOAD_PER_SECOND * phaseMs / 1000,
          next: signup,
        }),
      );
    }

    return {
      async measure() {
        const idle = await attack(sleep(phaseMs));
        const load = await attack(
          openLoop({
            url,
            perSecond: LOAD_PER_SECOND,
            count: LOAD_PER_SECOND * phaseMs / 1000,
            next: signup,
          }),
        );
        const probes: Record<Phase, Probe[]> = {
          idle,
          load,
          ...await underBursts(),
          attack: await inAttackMode(),
        };
        const results: Record<string, number> = {};
        for (const phase of PHASES) {
          const [worst, ...others] = toldApart(probes[phase], PER_MEAN, JITTER_VARIANCE);
          if (worst === undefined) continue;
          results[`neutral.${phase}`] = worst.upper;
          for (const { pair, differenceMs, chance, upper } of [worst, ...others].slice(0, 5)) {
            console.error(
              `${phase}, ${probes[phase].length} requests: ${pair.join(" and ")} differ by ` +
                `${differenceMs.toFixed(3)} ms; ${chance.toFixed(3)}, at most ${upper.toFixed(3)}`,
            );
          }
        }
        return results;
      },
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    };
  },
};

function shuffled<T>(values: readonly T[]): T[] {
  return values.map((value) => ({ value, at: Math.random() })).toSorted((a, b) => a.at - b.at).map((
    { value },
  ) => value);
}

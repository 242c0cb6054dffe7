/**
 * The real program behind a trusted proxy, with a provider on a socket of its own, and a clock that the test moves: hours
 * of an attack pass in minutes. No webhook reports confirmations, so that only the poll finds them.
 */
import { type FormToken, NAMESPACE } from "../../shared/contract.ts";
import { keys } from "../../server/platform/kv/keys.ts";
import { type Served, serveSandbox } from "../../server/sandbox/testing/serve.ts";
import { type Draw, drawsOf, HOUR, MINUTE } from "../../server/platform/attack/testing/simulated.ts";
import { systemClock } from "../../server/platform/deps.ts";
import { ManualClock } from "../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../dev/testing/program.ts";
import { Agenda } from "./agenda.ts";
import { solve } from "./solve.ts";

const DAY = 24 * HOUR;
/** How often the jobs that are due run. */
const JOBS_EVERY_MS = 10_000;
const FORM = "footer";
/** A form that is sent too early is shown again: “Your signup hasn’t been sent yet”. */
const NO_SCRIPT_AGAIN = /role="alert"/;
/** How often a visitor sends a form who is asked to try again later, and does so after 10 to 60 seconds more. */
const TRIES = 4;

export interface Site {
  /** Signups per hour of visitors, also in the two weeks before; 0 is a new site. */
  perHour: number;
  privacy?: Record<string, unknown>;
  /** The seed of everything that is random. */
  seed?: number;
}

/** Signups of bots: each has a valid token, and none solves a challenge. */
export interface Bots {
  from: number;
  count: number;
  perHour: number;
  ipOf(n: number): string;
  victimOf(n: number): string;
  /** Whose inbox it is; the address itself by default. */
  inboxOf?(address: string): string;
}

export interface Result {
  /** Milliseconds since the begin. */
  began: number | undefined;
  ended: number | undefined;
  reasons: readonly string[];
  bots: number;
  /** Confirmation emails to victims: before attack mode, and in all. */
  mailsBefore: number;
  mails: number;
  /** Most emails to one inbox in 24 hours. */
  mostPerInbox: number;
  visitors: Record<"script" | "noScript", { came: number; accepted: number; atOnce: number; tries: number }>;
  /** Milliseconds that the program took for visitors' signups. */
  times: number[];
}

export interface World extends AsyncDisposable {
  program: TestProgram;
  agenda: Agenda;
  draw: Draw;
  attack(bots: Bots): void;
  visit(at: number, kind: "script" | "noScript"): void;
  /** Lets visitors come at random. */
  visitors(until: number): void;
  run(until: number): Promise<Result>;
}

export async function startWorld({ perHour, privacy = {}, seed = 7 }: Site): Promise<World> {
  const start = Date.UTC(2026, 2, 2, 9);
  const clock = new ManualClock(start - 14 * DAY);
  const provider: Served = await serveSandbox({
    clock: { now: () => clock.now(), sleep: (ms, signal) => systemClock.sleep(ms, signal) },
  });
  const { list, lists, project, apiKey } = provider.provisioned;
  const program = await startProgram({
    clock,
    env: {
      CFBE_PROVIDER: "bluefox",
      CFBE_PROVIDER_URL: provider.sandbox.apiUrl,
      CFBE_PROVIDER_PROJECT: project,
      CFBE_PROVIDER_API_KEY: apiKey,
    },
    file: {
      settings: {
        general: { defaultList: list, knownLists: lists },
        privacy: { ipSource: "x-forwarded-for", ...privacy },
        forms: { forms: [{ name: FORM }] },
      },
    },
  });
  await pastDays(program, clock, perHour);
  clock.set(start);
  const draw = drawsOf(seed);
  const agenda = new Agenda();
  const victims = new Map<string, string>();
  const found: Result = {
    began: undefined,
    ended: undefined,
    reasons: [],
    bots: 0,
    mailsBefore: 0,
    mails: 0,
    mostPerInbox: 0,
    visitors: { script: newCount(), noScript: newCount() },
    times: [],
  };
  const now = () => clock.now() - start;
  const { attackMode, kv } = program.services;

  function noteAttack() {
    const attack = attackMode.current();
    if (attack) found.reasons = attack.reasons;
    if (attack && found.began === undefined) found.began = now();
    if (!attack && found.began !== undefined && found.ended === undefined) found.ended = now();
  }

  const request = (path: string, ip: string, init: RequestInit = {}) =>
    fetch(program.baseUrl + path, { ...init, headers: { ...init.headers, "x-forwarded-for": ip } });
  const signUp = (ip: string, email: string, token: string) =>
    request(`${NAMESPACE}/subscribe`, ip, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ source: "shortcode", form: FORM, email, cfbe_token: token }),
    });
  /** A bot's token may be from before the attack, as that of a form that somebody left open. */
  async function bot({ ipOf, victimOf, inboxOf = (address) => address }: Bots, n: number) {
    found.bots++;
    const email = victimOf(n);
    victims.set(email, inboxOf(email));
    const response = await signUp(ipOf(n), email, program.token(5_000 + draw.below(90_000)));
    await response.body?.cancel();
    noteAttack();
  }

  async function timed(send: () => Promise<Response>): Promise<Response> {
    const begin = performance.now();
    const response = await send();
    found.times.push(performance.now() - begin);
    return response;
  }

  /** Opens a form, fills it in, and sends it: again, if it is asked to. */
  function visit(at: number, kind: "script" | "noScript") {
    const counts = found.visitors[kind];
    const email = `${kind.toLowerCase()}${agenda.next()}@visitors.example`;
    const ip = `${11 + draw.below(80)}.${draw.below(256)}.${draw.below(256)}.${draw.below(256)}`;
    const dwell = 6_000 + draw.float() * 90_000;
    let opened: { at: number; token: string } | undefined;
    counts.came++;
    async function open() {
      if (kind === "script") {
        const response = await request(`${NAMESPACE}/form-token?form=${FORM}`, ip);
        const { token, challenge } = await response.json() as FormToken;
        opened = { at: now(), token: challenge ? `${token}.${solve(challenge)}` : token };
      } else opened = { at: now(), token: tokenIn(await (await request(`/form/${FORM}`, ip)).text()) };
    }
    async function send(tries: number): Promise<void> {
      // As the widget: an older token may be from before an attack.
      if (kind === "script" && now() - opened!.at > 2 * MINUTE) {
        await open();
        return agenda.add(now() + 3_500, () => send(tries));
      }
      counts.tries++;
      const { token } = opened!;
      const fields = new URLSearchParams({ email, cfbe_hp: "", cfbe_token: token });
      const response = await timed(() =>
        kind === "script"
          ? signUp(ip, email, token)
          : request(`/form/${FORM}`, ip, { method: "POST", body: fields })
      );
      const text = await response.text();
      noteAttack();
      const again = response.status === 429 || kind === "noScript" && NO_SCRIPT_AGAIN.test(text);
      if (again && tries > 1) {
        if (kind === "noScript") opened = { at: now(), token: tokenIn(text) || token };
        const waitMs = 1_000 * Number(response.headers.get("retry-after") ?? 12) + 10_000 +
          draw.below(50_000);
        return agenda.add(now() + waitMs, () => send(tries - 1));
      }
      if (!await isStored(kv, email)) return;
      counts.accepted++;
      if (tries === TRIES) counts.atOnce++;
      if (draw.float() < CONFIRM_RATE) agenda.add(now() + MINUTE / 2 + draw.confirms(), () => confirm(email));
    }
    agenda.add(at, open);
    agenda.add(at + dwell, () => send(TRIES));
  }

  async function confirm(email: string) {
    const { mails: [mail] } = await provider.json(`/sandbox/inbox.json?email=${encodeURIComponent(email)}`);
    if (mail) await (await fetch(mail.links.confirm)).body?.cancel();
  }

  /** Counts the emails that victims got. */
  async function countMails() {
    const sent = new Map<string, number[]>();
    for await (
      const { value } of provider.kv.list<{ to: string; at: number }>({ prefix: keys.sandboxMails() })
    ) {
      const inbox = victims.get(value.to);
      if (inbox === undefined) continue;
      found.mails++;
      if (found.began === undefined || value.at - start <= found.began) found.mailsBefore++;
      sent.set(inbox, [...sent.get(inbox) ?? [], value.at]);
    }
    for (const times of sent.values()) {
      for (const at of times) {
        found.mostPerInbox = Math.max(
          found.mostPerInbox,
          times.filter((other) => other >= at && other < at + DAY).length,
        );
      }
    }
  }

  return {
    program,
    agenda,
    draw,
    visit,
    attack(bots) {
      let n = 0;
      const next = async () => {
        await bot(bots, n++);
        if (n < bots.count) agenda.add(bots.from + n * HOUR / bots.perHour, next);
      };
      agenda.add(bots.from, next);
    },
    visitors(until) {
      const rate = Math.max(6, perHour);
      let n = 0;
      for (let at = draw.wait(rate); at < until; at += draw.wait(rate)) {
        visit(at, n++ % 3 === 0 ? "noScript" : "script");
      }
    },
    async run(until) {
      for (let at = 0; at <= until; at += JOBS_EVERY_MS) {
        agenda.add(at, async () => {
          if (at % MINUTE === 0) {
            await program.tick();
            noteAttack();
          }
          await program.runner.idle();
        });
      }
      await agenda.run(until, async (at) => {
        if (at > now()) await clock.advance(at - now());
      });
      await countMails();
      return found;
    },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** Which part of visitors confirms. */
const CONFIRM_RATE = 0.6;

const newCount = () => ({ came: 0, accepted: 0, atOnce: 0, tries: 0 });

/** Counts the signups of two weeks, so that it is known what is usual. */
async function pastDays({ services: { counters } }: TestProgram, clock: ManualClock, perHour: number) {
  for (let day = 0; day < 14; day++) {
    for (let n = 0; n < 24 * perHour; n++) {
      counters.count(FORM, "accepted");
      if (n < 24 * perHour * CONFIRM_RATE) counters.note("confirmed.poll", FORM);
    }
    await counters.flush();
    clock.set(clock.now() + DAY);
  }
}

async function isStored(kv: TestProgram["services"]["kv"], email: string): Promise<boolean> {
  for await (const _ of kv.list({ prefix: keys.signupsOf(email) })) return true;
  return false;
}

const tokenIn = (html: string) => /name="cfbe_token" value="([^"]*)"/.exec(html)?.[1] ?? "";

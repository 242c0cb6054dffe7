import { FORM_SOURCES, type SignupSource } from "../../../shared/contract.ts";
import { TOKEN_RECHECK_MS } from "../../../shared/limits.ts";
import type { Clock, Log } from "../deps.ts";
import { isPublicIp, networksOf } from "../http/visitor/network.ts";
import { type Key, readRow, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { Kv } from "../kv/port.ts";
import { plausibleTime } from "../stored_time.ts";
import { type Attack, decide, type Signals, type Thresholds, type Usual } from "./decide.ts";
import { createLastHour, type LastHour } from "./last_hour.ts";

/** The four weeks before today, as far as attacks can be told from them. */
export interface UsualDays extends Usual {
  /** Whether confirmations are mostly found by polling, within 15 minutes. */
  polled: boolean;
}

/** Notices attacks. Every process counts the signups that reach it, and shares what it decides. */
export interface AttackMode {
  /** Returns the attack that lasts now; undefined while it is calm. */
  current(): Attack | undefined;
  /** Returns whether a signup with a valid token must come with a proof (`challenge.ts`). */
  asksProof(visitor: { ip: string; token: string }): boolean;
  /** Notes a signup from a public form. Signups from private networks count for nothing. */
  noteSignup(signup: NotedSignup): void;
  noteConfirmed(): void;
  /** Returns whether the delivery of these signups waits until the attack is over: they are from forms, and all since it began. */
  holds(signups: readonly { source: SignupSource; at: number }[]): boolean;
  /** Reads what another process has decided. */
  refresh(): Promise<void>;
  /** Decides again, and stores the result if it has changed. Called every minute. Never rejects. */
  tick(): Promise<void>;
}

export interface NotedSignup {
  ip: string;
  token: string;
  /** It was refused because it had not solved a challenge. */
  refused?: true;
}

interface Deps {
  kv: Kv;
  clock: Clock;
  log: Log;
  thresholds: () => Thresholds;
  /** Whether deliveries wait during an attack. */
  holdsDeliveries: () => boolean;
  /** Reads the four weeks before today; undefined if they had too few signups to tell. */
  usual: () => Promise<UsualDays | undefined>;
}

type AttackRow = { v: 1 } & Attack;
const attackKey = (): Key<AttackRow> => typed(keys.attack());

const HOUR_MS = 3_600_000;
/** By when most of those who confirm have done so. */
const SETTLED_MS = { called: 2 * 60_000, polled: 17 * 60_000 };
/** With fewer signups in an hour, nobody needs to know what is usual. */
const FEW = 10;

/** By when all processes know of an attack (`operations/activation/freshness.ts`). Until then, some give out no challenges. */
const KNOWN_EVERYWHERE_MS = 15_000;
/** How long a submission with its retries takes at most. */
const SUBMISSION_MS = 30_000;
/** More signups with one token of calm times have to come with a proof. */
const FEW_WITH_TOKEN = 3;

/** Creates attack mode. It is calm until `refresh` or `tick` says otherwise. */
export function createAttackMode({ kv, clock, log, thresholds, holdsDeliveries, usual }: Deps): AttackMode {
  const [signups, networks, tokens] = [createLastHour(), createLastHour(), createLastHour()];
  let attack: Attack | undefined;
  /** As stored, or as read from what another process has stored. */
  let stored: Attack | undefined;
  let known: { at: number; days: UsualDays | undefined } | undefined;

  function become(next: Attack | undefined, now: number) {
    const before = attack;
    attack = next;
    if (before && !next) log.info("attack.ended", { afterMs: now - before.since });
    if (before || !next) return;
    log.warn("attack.began", { reasons: next.reasons });
    // At once, so that the other processes soon ask for challenges too.
    void store();
  }

  function decideWith(signals: Partial<Signals>, now: number) {
    const days = known?.days;
    const settledMs = days?.polled ? SETTLED_MS.polled : SETTLED_MS.called;
    become(
      decide(
        attack,
        {
          signups: signups.count("signup", now),
          refused: signups.count("refused", now),
          settled: signups.count("accepted", now, settledMs),
          confirmed: signups.count("confirmed", now),
          fromNetwork: 0,
          withToken: 0,
          ...(days && { usual: days }),
          ...signals,
        },
        thresholds(),
        now,
      ),
      now,
    );
  }

  /** Reads once an hour what is usual. */
  async function learn(now: number) {
    if (signups.count("signup", now) < FEW || known && Math.abs(now - known.at) < HOUR_MS) return;
    known = { at: now, days: await usual() };
  }

  async function store() {
    const next = attack;
    if (isSame(next, stored)) return;
    try {
      if (next) await kv.set(attackKey(), { v: 1, ...next } satisfies AttackRow);
      else await kv.delete(attackKey());
      stored = next;
    } catch (error) {
      log.error("attack.store_failed", { error });
    }
  }

  return {
    current() {
      const { mode } = thresholds();
      if (mode === "off") return undefined;
      if (mode === "on" && !attack) decideWith({}, clock.now());
      return attack;
    },
    asksProof({ ip, token }) {
      const found = this.current();
      if (!found) return false;
      // The form was opened before. The widget asks for a new token with the next submission at the latest, unless its
      // token is younger than `TOKEN_RECHECK_MS`.
      const [now, known] = [clock.now(), found.since + KNOWN_EVERYWHERE_MS];
      const isOpenForm = parseInt(token) < known && now < known + TOKEN_RECHECK_MS + SUBMISSION_MS;
      return !isOpenForm || tokens.count(token, now) >= FEW_WITH_TOKEN ||
        mostOf(networks, networksOf(ip), now) > thresholds().networkSignups / 2;
    },
    noteSignup({ ip, token, refused }) {
      if (!isPublicIp(ip)) return;
      const now = clock.now();
      signups.add("signup", now);
      signups.add(refused ? "refused" : "accepted", now);
      tokens.add(token, now);
      const ofVisitor = new Set(networksOf(ip));
      for (const network of ofVisitor) networks.add(network, now);
      decideWith({
        fromNetwork: mostOf(networks, ofVisitor, now),
        withToken: tokens.count(token, now),
      }, now);
    },
    holds(signups) {
      const found = holdsDeliveries() && this.current();
      return found ? signups.every(({ source, at }) => at >= found.since && isFromForm(source)) : false;
    },
    noteConfirmed: () => signups.add("confirmed", clock.now()),
    async refresh() {
      const row = await readRow(kv, attackKey());
      const now = clock.now();
      const read = row
        ? {
          since: plausibleTime(row.since, now),
          seenAt: plausibleTime(row.seenAt, now),
          reasons: row.reasons,
        }
        : undefined;
      if (!read && !stored) return;
      // What another process has ended, or seen later than this one.
      const isNews = !read || !attack || read.seenAt > attack.seenAt;
      stored = read;
      if (isNews) become(read, now);
    },
    async tick() {
      const now = clock.now();
      await learn(now).catch((error) => log.error("attack.read_failed", { error }));
      decideWith({ fromNetwork: networks.most(now), withToken: tokens.most(now) }, now);
      await store();
    },
  };
}

function isSame(one: Attack | undefined, other: Attack | undefined): boolean {
  return one?.since === other?.since && one?.seenAt === other?.seenAt &&
    `${one?.reasons}` === `${other?.reasons}`;
}

const isFromForm = (source: SignupSource) => FORM_SOURCES.some((form) => form === source);

const mostOf = (counts: LastHour, names: Iterable<string>, now: number) =>
  Math.max(...Array.from(names, (name) => counts.count(name, now)));

import { FORM_SOURCES, type SignupSource } from "../../../shared/contract.ts";
import { TOKEN_RECHECK_MS } from "../../../shared/limits.ts";
import type { Clock, Log } from "../deps.ts";
import { isPublicIp, networksOf } from "../http/visitor/network.ts";
import { type Key, readRow, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { Kv } from "../kv/port.ts";
import { plausibleTime } from "../time/stored_time.ts";
import { asksEvery, type Attack, decide, type Signals, type Thresholds } from "./decide.ts";
import { createRecentCounts, type RecentCounts } from "./recent_counts.ts";
import type { Traffic, Usual } from "./traffic.ts";

/** The four weeks before today, as far as attacks can be told from them. */
export interface UsualDays {
  /** All forms together; absent if they had too few signups to tell. */
  all?: Usual;
  /** By form, those that had enough. */
  forms: ReadonlyMap<string, Usual>;
}

/** Notices attacks. Every process counts the signups that reach it, and shares what it decides. */
export interface AttackMode {
  /** Returns the attack that lasts now; undefined while it is calm. */
  current(): Attack | undefined;
  /** Returns whether a signup with a valid token must come with a proof (`challenge.ts`). */
  asksProof(visitor: { ip: string; token: string }): boolean;
  /** Returns whether an attack is so young that signups of forms from before it need no proof. */
  acceptsOpenForms(): boolean;
  /**
   * Notes a signup from a public form. Signups from private networks count for nothing. Refused ones count only for how long
   * an attack lasts, and neither for their network nor their token: they cost their sender nothing, so that one address could
   * begin an attack.
   */
  noteSignup(signup: NotedSignup): void;
  /** Notes a confirmation, by the form or else the source of its signup. */
  noteConfirmed(form: string): void;
  /**
   * Returns whether the delivery of these signups waits: they are from forms, all since the attack began, and none waits for
   * a day, unless an admin has turned attack mode on. Refused signups hold no delivery.
   */
  holds(signups: readonly { source: SignupSource; at: number }[]): boolean;
  /** Reads what another process has decided. */
  refresh(): Promise<void>;
  /** Decides again, and resolves when the result is stored. Called every minute. Never rejects. */
  tick(): Promise<void>;
}

export interface NotedSignup {
  ip: string;
  token: string;
  /** Name of its form, or else its source. */
  form: string;
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
  /** Reads the four weeks before today. */
  usual: () => Promise<UsualDays>;
  /** Asks the provider for new confirmations, so that they are noted soon. */
  askForConfirmations: () => Promise<void>;
}

/** Rows of earlier versions have no `acceptedAt`. */
type AttackRow = { v: 1 } & Omit<Attack, "acceptedAt"> & Partial<Pick<Attack, "acceptedAt">>;
const attackKey = (): Key<AttackRow> => typed(keys.attack());

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** With fewer signups, nobody needs to know what is usual. */
const FEW = { hour: 10, day: 30 };
/** Of older tokens, it does not matter whether they are equally old. */
const OLDEST_AGE_MS = 600_000;

/** By when all processes know of an attack (`operations/activation/freshness.ts`). Until then, some give out no challenges. */
const KNOWN_EVERYWHERE_MS = 15_000;
/** How long a submission with its retries takes at most. */
const SUBMISSION_MS = 30_000;
/**
 * How long a delivery is held at most. Nobody confirms while deliveries are held, so that a rush of visitors would look like
 * an attack for as long.
 */
const HELD_MOST_MS = 24 * HOUR_MS;
/** More signups with one token of calm times have to come with a proof. */
const FEW_WITH_TOKEN = 3;

const inHour = () => createRecentCounts({ slotMs: MINUTE_MS, slots: 60 });
const inDay = () => createRecentCounts({ slotMs: HOUR_MS, slots: 24 });

/** Creates attack mode. It is calm until `refresh` or `tick` says otherwise. */
export function createAttackMode(
  { kv, clock, log, thresholds, holdsDeliveries, usual, askForConfirmations }: Deps,
): AttackMode {
  const [signups, networks, tokens, ages] = [inHour(), inHour(), inHour(), inHour()];
  let daily = inDay();
  let attack: Attack | undefined;
  /** As stored, or as read from what another process has stored. */
  let stored: Attack | undefined;
  /** What is being stored. */
  let storing = Promise.resolve();
  let known: { at: number; days: UsualDays } | undefined;
  let askedAt = -Infinity;

  function become(next: Attack | undefined, now: number) {
    const before = attack;
    attack = next;
    if (before && !next) {
      log.info("attack.ended", { afterMs: now - before.since });
      // What it has left would begin the next one.
      daily = inDay();
    }
    if (before || !next) return;
    log.warn("attack.began", { reasons: next.reasons });
    // At once, so that the other processes soon ask for challenges too.
    void store();
  }

  /** Counts an event for all forms together, and for its own. */
  function count(event: "accepted" | "confirmed", form: string, now: number) {
    for (const counts of [signups, daily]) {
      counts.add(event, now);
      counts.add(`${event} ${form}`, now);
    }
  }

  function trafficOf(form: string | undefined, now: number): Traffic {
    const of = form === undefined ? "" : ` ${form}`;
    const found = form === undefined ? known?.days.all : known?.days.forms.get(form);
    const series = (counts: RecentCounts) => ({
      accepted: counts.byAge(`accepted${of}`, now),
      confirmed: counts.byAge(`confirmed${of}`, now),
    });
    return {
      hour: series(signups),
      day: series(daily),
      ...form !== undefined && { form },
      ...found && { usual: found },
    };
  }

  function decideWith(
    found: Pick<Signals, "fromNetwork" | "withToken" | "sameAge">,
    forms: Iterable<string>,
    now: number,
  ) {
    const known = [...forms].filter(isUsualKnown).map((form) => trafficOf(form, now));
    const signals: Signals = {
      traffic: [trafficOf(undefined, now), ...known],
      refused: signups.count("refused", now),
      reusedTokens: signups.count("reused", now),
      ...found,
      ...now >= askedAt && { askedMs: now - askedAt },
    };
    become(decide(attack, signals, thresholds(), now), now);
    const askEvery = asksEvery(signals, thresholds(), attack !== undefined);
    if (askEvery !== undefined && Math.abs(now - askedAt) >= askEvery) {
      askedAt = now;
      askForConfirmations().catch((error) => log.error("attack.ask_failed", { error }));
    }
  }

  const isUsualKnown = (form: string) => known?.days.forms.has(form) === true;

  /** Reads once an hour what is usual. */
  async function learn(now: number) {
    const isFew = signups.count("accepted", now) < FEW.hour && daily.count("accepted", now) < FEW.day;
    if (isFew || known && Math.abs(now - known.at) < HOUR_MS) return;
    known = { at: now, days: await usual() };
  }

  /** Stores what was decided last, after what is being stored: of two writes at once, the older one could win. */
  const store = () => storing = storing.then(storeNow);

  async function storeNow() {
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
      if (mode === "on" && !attack) decideWith({ fromNetwork: 0, withToken: 0, sameAge: 0 }, [], clock.now());
      return attack;
    },
    asksProof({ ip, token }) {
      const found = this.current();
      if (!found) return false;
      const now = clock.now();
      const isOpenForm = parseInt(token) < found.since + KNOWN_EVERYWHERE_MS && this.acceptsOpenForms();
      return !isOpenForm || tokens.count(token, now) >= FEW_WITH_TOKEN ||
        mostOf(networks, networksOf(ip), now) > thresholds().networkSignups / 2;
    },
    acceptsOpenForms() {
      const found = this.current();
      // The widget asks for a new token with the next submission at the latest, unless its token is younger than
      // `TOKEN_RECHECK_MS`.
      return found !== undefined &&
        clock.now() < found.since + KNOWN_EVERYWHERE_MS + TOKEN_RECHECK_MS + SUBMISSION_MS;
    },
    noteSignup({ ip, token, form, refused }) {
      if (!isPublicIp(ip) || refused && !this.current()) return;
      const now = clock.now();
      const ageMs = now - parseInt(token);
      const age = `${Math.floor(ageMs / 1000)} s`;
      const ofVisitor = new Set(networksOf(ip));
      if (refused) signups.add("refused", now);
      else {
        count("accepted", form, now);
        if (tokens.count(token, now) > 0) signups.add("reused", now);
        tokens.add(token, now);
        if (ageMs < OLDEST_AGE_MS) ages.add(age, now);
        for (const network of ofVisitor) networks.add(network, now);
      }
      decideWith(
        {
          fromNetwork: mostOf(networks, ofVisitor, now),
          withToken: tokens.count(token, now),
          sameAge: ages.count(age, now),
        },
        [form],
        now,
      );
    },
    holds(signups) {
      const found = holdsDeliveries() && this.current();
      if (!found) return false;
      const now = clock.now();
      const isManual = found.reasons.includes("manual");
      const isSeen = isManual || Math.abs(now - found.acceptedAt) < thresholds().calmMinutes * MINUTE_MS;
      return isSeen &&
        signups.every(({ source, at }) =>
          at >= found.since && isFromForm(source) && (isManual || now - at < HELD_MOST_MS)
        );
    },
    noteConfirmed: (form) => count("confirmed", form, clock.now()),
    async refresh() {
      const row = await readRow(kv, attackKey());
      const now = clock.now();
      const read = row
        ? {
          since: plausibleTime(row.since, now),
          seenAt: plausibleTime(row.seenAt, now),
          acceptedAt: Math.max(plausibleTime(row.acceptedAt ?? row.seenAt, now), attack?.acceptedAt ?? 0),
          reasons: row.reasons,
          ...row.forms && { forms: row.forms },
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
      decideWith(
        { fromNetwork: networks.most(now), withToken: tokens.most(now), sameAge: ages.most(now) },
        known?.days.forms.keys() ?? [],
        now,
      );
      await store();
    },
  };
}

function isSame(one: Attack | undefined, other: Attack | undefined): boolean {
  return one?.since === other?.since && one?.seenAt === other?.seenAt &&
    `${one?.reasons}` === `${other?.reasons}` && `${one?.forms}` === `${other?.forms}`;
}

const isFromForm = (source: SignupSource) => FORM_SOURCES.some((form) => form === source);

const mostOf = (counts: RecentCounts, names: Iterable<string>, now: number) =>
  Math.max(...Array.from(names, (name) => counts.count(name, now)));

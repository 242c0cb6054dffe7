/**
 * Signup bombing: bots sign up strangers at the real program, beside real visitors. Prints a row for each scenario.
 *
 * - `CFBE_TEST_ABUSE_ADDRESSES`: IPv4 addresses of the largest attack; 600 by default, 10,000 with `deno task test:abuse`.
 * - `CFBE_TEST_ABUSE_SIMULATED`: simulated IPv6 addresses; 20,000 by default, 1,000,000 with `deno task test:abuse`.
 */
import assert from "node:assert/strict";
import {
  bots,
  drawsOf,
  honest,
  HOUR,
  merged,
  MINUTE,
  simulate,
} from "../../server/platform/attack/testing/simulated.ts";
import { type Bots, type Result, type Site, startWorld } from "./world.ts";
import { testSize } from "../../dev/testing/test_size.ts";

const ADDRESSES = testSize("CFBE_TEST_ABUSE_ADDRESSES", 600);
const SIMULATED = testSize("CFBE_TEST_ABUSE_SIMULATED", 20_000);
/** The attack begins when visitors have come for so long. */
const FROM = 20 * MINUTE;
const MOST_MAILS_BEFORE = 100;
const MOST_PER_VICTIM = 3;
const LEAST_ACCEPTED = 0.99;

const strangers = (n: number) => `${11 + n % 80}.${Math.floor(n / 80) % 256}.${Math.floor(n / 20_480)}.9`;
const home = (n: number) => `2a02:8109:9a40:17${(n % 256).toString(16).padStart(2, "0")}::${n.toString(16)}`;
const fresh = (n: number) => `stranger${n}@mail${n % 40}.example`;

/** Spellings of 40 inboxes at providers that ignore parts of an address. */
const SPELLINGS: readonly ((who: number, n: number) => string)[] = [
  (who, n) => `victim${who}+${n}@victims.example`,
  (who, n) => `${dotted(`victim${who}`, n)}@gmail.com`,
  (who, n) => `${dotted(`victim${who}`, n)}+${n}@googlemail.com`,
  (who, n) => `${`victim${who}`.split("").join(n % 2 ? "-" : ".")}@${n % 3 ? "proton.me" : "pm.me"}`,
  (who, n) => `victim${who}-${n}@yahoo.com`,
];
const dotted = (name: string, n: number) =>
  [...name].map((letter, i) => i > 0 && n >> i & 1 ? `.${letter}` : letter).join("");
const spelled = (n: number) => SPELLINGS[n % 5]!(n % 40, Math.floor(n / 40));
/** Which of the 40 inboxes an address reaches. */
const inboxOf = (address: string) => {
  const [local = "", domain = ""] = address.replaceAll(/[.-](?=.*@)/g, "").split("@");
  const who = /^victim(\d+)/.exec(domain === "yahoo.com" ? address : local.split("+")[0]!)![1];
  return `${who}@${domain.replace("googlemail", "gmail").replace("pm.me", "proton.me")}`;
};

interface Scenario {
  what: string;
  site: Site;
  bots: Omit<Bots, "from">;
  /** How long visitors come after the last bot. */
  after?: number;
  /** What the scenario is about, beside what holds for all. */
  begins?: boolean;
  /** Emails to one inbox are not limited, because only its owner knows that it is one. */
  oneOwner?: true;
}

const usual: Site = { perHour: 20 };
const SCENARIOS: Scenario[] = [
  {
    what: `${ADDRESSES} IPv4 addresses, 20 a minute`,
    site: usual,
    bots: { count: ADDRESSES, perHour: 1_200, ipOf: strangers, victimOf: fresh },
    begins: true,
    after: 3 * HOUR,
  },
  {
    what: "a new site, 600 addresses",
    site: { perHour: 0 },
    bots: { count: 600, perHour: 1_200, ipOf: strangers, victimOf: fresh },
    begins: true,
    after: 3 * HOUR,
  },
  {
    what: "a flood of 600 addresses, 100 a minute",
    site: usual,
    bots: { count: 600, perHour: 6_000, ipOf: strangers, victimOf: fresh },
    begins: true,
    after: 3 * HOUR,
  },
  {
    what: "one /56, 400 addresses",
    site: usual,
    bots: { count: 400, perHour: 1_200, ipOf: home, victimOf: fresh },
    begins: true,
    after: 3 * HOUR,
  },
  {
    what: "70 networks with one signup each",
    site: usual,
    bots: { count: 70, perHour: 600, ipOf: strangers, victimOf: fresh },
    after: 3 * HOUR,
  },
  {
    what: "15 spellings of each of 40 inboxes, attack mode off",
    site: { ...usual, privacy: { attackMode: "off" } },
    bots: { count: 600, perHour: 600, ipOf: strangers, victimOf: spelled, inboxOf },
    begins: false,
  },
  {
    what: "a catch-all domain, 600 addresses",
    site: usual,
    bots: {
      count: 600,
      perHour: 1_200,
      ipOf: strangers,
      victimOf: (n) => `any${n}@catch-all.example`,
      inboxOf: () => "catch-all.example",
    },
    begins: true,
    oneOwner: true,
    after: 3 * HOUR,
  },
];

for (const { what, site, bots: attackers, begins, after = HOUR, oneOwner } of SCENARIOS) {
  Deno.test(`bots sign up strangers: ${what}`, async () => {
    await using world = await startWorld(site);
    const until = FROM + attackers.count * HOUR / attackers.perHour + after;
    world.visitors(until - 5 * MINUTE);
    world.attack({ from: FROM, ...attackers });
    const found = await world.run(until);
    console.log(row(what, found));
    if (begins !== undefined) assert.equal(found.began !== undefined, begins, "whether attack mode began");
    if (begins) {
      assert.ok(found.mailsBefore <= MOST_MAILS_BEFORE, `${found.mailsBefore} emails before attack mode`);
      assert.ok(found.ended !== undefined, "attack mode ended by itself");
    }
    if (!oneOwner) {
      assert.ok(found.mostPerInbox <= MOST_PER_VICTIM, `${found.mostPerInbox} emails to one inbox`);
    }
    const { script, noScript } = found.visitors;
    const [came, accepted] = [script.came + noScript.came, script.accepted + noScript.accepted];
    assert.ok(accepted >= came * LEAST_ACCEPTED, `${accepted} of ${came} visitors were accepted`);
  });
}

Deno.test(`${SIMULATED} IPv6 addresses in as many networks, simulated over the decision alone`, async () => {
  const draw = drawsOf(5);
  const perHour = 20;
  const ipOf = (n: number) => `2a0${n % 8}:${((n >> 3) & 0xffff).toString(16)}:${(n >> 19).toString(16)}::7`;
  const botsPerHour = Math.max(1_200, SIMULATED / 24);
  const lasts = SIMULATED * HOUR / botsPerHour;
  const { attacks, bots: found, visitors } = await simulate(
    merged(
      honest(draw, { perHour: () => perHour, mostPerHour: perHour, rate: 0.6, untilMs: HOUR + lasts + HOUR }),
      bots({
        from: HOUR,
        count: SIMULATED,
        perHour: botsPerHour,
        ipOf,
        tokenAgeOf: () => 4_000 + draw.below(90_000),
      }),
    ),
    { usual: { all: { signupsPerHour: perHour, confirmationRate: 0.6 }, forms: new Map() } },
  );
  const { accepted, limited } = visitors;
  console.log(
    `  ${SIMULATED} IPv6 addresses (simulated): ${found.acceptedBefore} signups before attack mode, ` +
      `${found.acceptedDuring} more with open forms, ${found.refused} refused; visitors ${accepted} of ${
        accepted + limited
      }; ` +
      `began ${minutes(attacks[0]?.began, HOUR)}, ended ${
        minutes(attacks[0]?.ended, HOUR + lasts)
      } after the last`,
  );
  assert.equal(attacks.length, 1);
  assert.ok(found.acceptedBefore <= MOST_MAILS_BEFORE, `${found.acceptedBefore}`);
  assert.ok(accepted >= (accepted + limited) * LEAST_ACCEPTED, `${accepted} of ${accepted + limited}`);
});

const minutes = (at: number | undefined, since = 0) =>
  at === undefined ? "never" : `${((at - since) / MINUTE).toFixed(1)} min`;

function row(what: string, found: Result): string {
  const { script, noScript } = found.visitors;
  const times = found.times.toSorted((a, b) => a - b);
  const percentile = (part: number) => `${(times[Math.ceil(times.length * part) - 1] ?? 0).toFixed(0)} ms`;
  const of = ({ came, accepted, atOnce }: typeof script) => `${accepted}/${came} (${atOnce} at once)`;
  return [
    `  ${what}: ${found.bots} bots`,
    `emails ${found.mails}, ${found.mailsBefore} before attack mode, most to one inbox ${found.mostPerInbox}`,
    `visitors with JavaScript ${of(script)}, without ${of(noScript)}, p50 ${percentile(0.5)}, p99 ${
      percentile(0.99)
    }`,
    `attack mode began after ${minutes(found.began, FROM)}, ended at ${minutes(found.ended, FROM)} (${
      found.reasons.join(", ") || "no reason"
    })`,
  ].join("; ");
}

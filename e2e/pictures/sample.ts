/** The program with a month of invented signups: the same ones each time, up to a fixed day. */
import type { Page } from "../../server/admin/frame/page.ts";
import { runAction } from "../../server/admin/action_table.ts";
import type { Random } from "../../server/platform/deps.ts";
import type { PartialSettings, Tab } from "../../server/settings/schema/schema.ts";
import { startShop } from "../../server/shops/systems/testing/shop_double.ts";
import { ManualClock } from "../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../dev/testing/program.ts";
import { seededRandom } from "../../dev/testing/seeded_random.ts";
import { type Person, personAt, REGULARS, SETTINGS, WORK, type Work } from "./sample_data.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LAST_MORNING = Date.UTC(2026, 10, 20, 7);
const DAYS = 30;
const LISTED_DAYS = 2;
/** The age of a problem after which it becomes an alert, and some time more. */
const UNTIL_ALERTS_MS = 40 * MINUTE;
const CHECK_ALERTS_EVERY_MS = 5 * MINUTE;

export const ADMIN = { name: "ada", password: "a password for the pictures" };

/** Starts the program without any data, on the morning of the sample's last day. */
export async function startEmpty(): Promise<TestProgram> {
  return (await simulate(LAST_MORNING)).program;
}

/**
 * Starts the program, and lets days pass in which people sign up and an admin works.
 *
 * @param days by default 30, which look good on a chart
 * @param adminPages further pages of the admin
 */
export async function startSample(days = DAYS, adminPages: readonly Page[] = []): Promise<TestProgram> {
  const { random, ...sample } = await simulate(LAST_MORNING - (days - 1) * DAY, adminPages);
  const { program, pass } = sample;
  await using shop = startShop("woocommerce", () => program.services.clock.now());
  for (const [tab, fields] of Object.entries(SETTINGS)) await save(program, tab as Tab, fields!);
  await save(program, "checkout", shop.settings);
  const { forms } = await (await fetch(`${program.baseUrl}/cfbe.json`)).json();
  const below = (max: number) => Math.floor(random.float() * max);

  /** Lets people sign up together, and some minutes later confirm. */
  const visit = async (people: Person[]) => {
    await Promise.all(people.map((person) => signUp(program, person, forms[person.form].cfg)));
    await pass(17 * MINUTE);
    await Promise.all(people.filter(({ confirms }) => confirms).map(({ email }) => sample.confirm(email)));
  };

  let people = 0;
  for (let day = 0; day < days; day += 1) {
    const left = days - 1 - day;
    const morning = LAST_MORNING - left * DAY;
    await sample.sleepUntil(morning);
    const isWeekend = [0, 6].includes(new Date(morning).getUTCDay());
    const signups = Math.round((9 - left / 6 + below(5)) * (isWeekend ? 0.6 : 1));
    await showForms(program, Object.keys(forms), signups * (4 + below(3)), below);
    const today = Array.from({ length: signups }, () => personAt(people++, below));
    // Lists show the last ones, so those come one after another.
    if (left >= LISTED_DAYS) await visit(today);
    else for (const person of today) await visit([person]);
    await visit(REGULARS.filter((each) => each.daysAgo === left));
    await administer(sample, WORK[left] ?? []);
  }
  for (let passed = 0; passed < UNTIL_ALERTS_MS; passed += CHECK_ALERTS_EVERY_MS) {
    await pass(CHECK_ALERTS_EVERY_MS);
  }
  await sample.settle();
  await save(program, "checkout", { ...shop.settings, shopUrl: "https://shop.example.com" });
  return program;
}

interface Simulation {
  program: TestProgram;
  /** Random numbers for the simulated people. */
  random: Random;
  /** Waits for the background work that is due, and advances the clock. */
  pass(ms: number): Promise<void>;
  /** Waits for the background work that is due, and sets the clock like that of a machine that was suspended. */
  sleepUntil(at: number): Promise<void>;
  /** Waits until no job is due and every webhook has arrived. */
  settle(): Promise<void>;
  /** Opens the link of the newest confirmation email to an address, if one has come. */
  confirm(email: string): Promise<void>;
}

/** Starts the program at a time, in Unix milliseconds, with one admin. */
async function simulate(at: number, adminPages: readonly Page[] = []): Promise<Simulation> {
  const clock = new ManualClock(at);
  // Jobs that run at the same time would draw their delays in another order each time.
  const program = await startProgram({ clock, random: { ...seededRandom(1), float: () => 0.5 }, adminPages });
  const refused = await program.services.admin.users.add({ ...ADMIN, role: "admin" });
  if (refused) throw new Error(`${ADMIN.name}: ${refused}`);
  async function settle() {
    await program.runner.idle();
    await program.sandbox!.idle();
    await program.runner.idle();
  }
  async function pass(ms: number) {
    await settle();
    await clock.advance(ms);
    await program.tick();
  }
  return {
    program,
    random: seededRandom(7),
    settle,
    pass,
    async sleepUntil(at) {
      await settle();
      clock.set(at);
      await program.tick();
    },
    async confirm(email) {
      const inbox = await fetch(`${program.baseUrl}/sandbox/inbox.json?email=${encodeURIComponent(email)}`);
      const { mails: [mail] } = await inbox.json();
      if (mail?.links.confirm) await (await fetch(mail.links.confirm)).body?.cancel();
    },
  };
}

async function save(
  program: TestProgram,
  tab: Tab,
  fields: NonNullable<PartialSettings[Tab]>,
): Promise<void> {
  await program.services.settings.save(tab, fields);
}

async function signUp(
  program: TestProgram,
  { email, form, ip, bot, page }: Person,
  cfg: string,
): Promise<void> {
  const body = {
    email,
    form,
    cfbe_cfg: cfg,
    consent: true,
    page,
    ...bot && { cfbe_hp: "https://spam.example.net" },
  };
  await (await program.subscribe(body, ip)).body?.cancel();
}

/** Requests form tokens, which count as views. */
async function showForms(
  program: TestProgram,
  forms: string[],
  views: number,
  below: (max: number) => number,
) {
  await Promise.all(Array.from({ length: views }, async () => {
    const form = forms[below(forms.length)]!;
    await (await fetch(`${program.api}/form-token?form=${form}`)).body?.cancel();
  }));
}

async function administer(
  { program: { services }, pass }: Pick<Simulation, "program" | "pass">,
  work: readonly Work[],
): Promise<void> {
  const { admin } = services;
  const user = (await admin.users.find(ADMIN.name))!;
  const session = (await admin.sessions.find(await admin.sessions.open(user)))!;
  const actor = { kind: "user", name: user.name, role: user.role, session } as const;
  for (const [name, input] of work) {
    const outcome = await runAction(services, actor, name, input, { ip: "203.0.113.5" });
    if (!outcome.ok) throw new Error(`${name}: ${outcome.message} ${JSON.stringify(outcome.fields)}`);
    await pass(3 * MINUTE);
  }
}

import assert from "node:assert/strict";
import { lazyProvider } from "../../providers/calls/lazy_provider.ts";
import { createServices, type Services } from "../../program/services.ts";
import { openSettings } from "../../settings/store/store.ts";
import { LIST, runDueJobs } from "../../../dev/testing/harness.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { type StubProvider, stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { whileTimePasses } from "../../subscribers/migration/testing/world.ts";
import { choose, NEW_LIST, type Switching, switching } from "./testing/switching.ts";

const SEEDS = 25;
const STEPS = 40;
const MINUTE = 60_000;
/** The lists that each provider is chosen with: one of the second has the ID of that of the first. */
const LISTS: Record<string, readonly string[]> = { bluefox: [LIST], mailerlite: [NEW_LIST, LIST] };

/** Creates another process on the same database, whose settings stay as they are until they are refreshed. */
async function anotherProcess({ app, old, fresh }: Switching): Promise<Services> {
  const { kv, services } = app;
  const { keyring, random, clock } = services;
  const settings = await openSettings({ kv, keyring, random, clock, fixed: [], fallback: {} });
  const stubs: Record<string, StubProvider> = { bluefox: old, mailerlite: fresh };
  const chosen = () => settings.current().general.provider;
  const providerNamed = (name: string) => stubs[name];
  const provider = lazyProvider(() => {
    const found = providerNamed(chosen())!;
    return { capabilities: found.capabilities, load: () => Promise.resolve(found) };
  });
  return createServices({ ...services, settings, provider, providerNamed });
}

async function signUp({ settings, signups }: Services, email: string): Promise<string> {
  const { defaultList: list, provider } = settings.current().general;
  const consent = { given: true, locale: "en", ip: null };
  const accepted = await signups.accept({ email, list, provider, tags: [], source: "popup", consent }, []);
  assert.equal(accepted.kind, "accepted");
  return list;
}

/** Plays random steps of two processes, and then lets everything come to rest. */
async function play(seed: number): Promise<void> {
  await using world = await switching();
  const { app, old, fresh } = world;
  const { clock, queue, log } = app;
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random.float() * count);
  const other = await anotherProcess(world);
  const processes = [app.services, other] as const;
  const stubs = { bluefox: old, mailerlite: fresh } as const;
  const accepted = new Map<string, string>();
  const confirmed = new Set<string>();
  let isFaulty = true;

  // Calls wait for the call budget.
  const work = (services: Services) => whileTimePasses(app, runDueJobs({ queue, clock, log }, services.jobs));
  const poll = async (services: Services) => void await whileTimePasses(app, services.poll.run());
  const steps = [
    async () => {
      const email = `p${accepted.size}@example.com`;
      accepted.set(email, await signUp(processes[below(2)]!, email));
    },
    () => work(processes[below(2)]!),
    async () => {
      const name = below(2) === 0 ? "bluefox" : "mailerlite";
      await choose(world, name, LISTS[name]![below(LISTS[name]!.length)]!);
    },
    () => other.settings.refresh(),
    () => poll(processes[below(2)]!),
    () => clock.advance(below(20) * MINUTE),
    () => {
      // Whoever got an email may confirm, at the provider that sent it.
      for (const stub of [old, fresh]) {
        const email = stub.mails[below(stub.mails.length)];
        if (email === undefined) continue;
        confirmed.add(email);
        stub.put(accepted.get(email)!, email, "active");
      }
      return Promise.resolve();
    },
    () => {
      const { status } = [old, fresh][below(2)]!.nextResults;
      if (isFaulty) status.push({ kind: "absent" }, stubTrouble({ unknown: true }));
      return Promise.resolve();
    },
  ];
  for (let step = 0; step < STEPS; step++) await steps[below(steps.length)]!();

  isFaulty = false;
  for (const stub of [old, fresh]) stub.nextResults.status.length = 0;
  await other.settings.refresh();
  for (let round = 0; round < 6; round++) {
    await clock.advance(60 * MINUTE);
    await work(app.services);
    await poll(app.services);
  }
  const message = `seed ${seed}`;
  for (const [email, list] of accepted) {
    const record = (await app.record(email, list))!;
    const at = Object.entries(stubs).filter(([, { mails }]) => mails.includes(email)).map(([name]) => name);
    assert.deepEqual(at, [record.provider], `${message}: ${email} was emailed by one provider, its own`);
    const emails = [...old.mails, ...fresh.mails].filter((mail) => mail === email).length;
    assert.equal(emails, 1, `${message}: ${email} got one email`);
    const status = confirmed.has(email) ? "active" : "pending";
    assert.equal(record.status, status, `${message}: ${email}`);
  }
}

Deno.test("however often the provider changes, also in one of two processes, nobody is lost and nobody is emailed twice", async () => {
  for (let seed = 1; seed <= SEEDS; seed++) await play(seed);
});

import { runAction } from "../../../admin/action_table.ts";
import assert from "node:assert/strict";
import type { ListStatus } from "../../../../shared/outcomes.ts";
import { LOCAL } from "../../../admin/auth/actor.ts";
import type { Layer } from "../../../settings/store/precedence.ts";
import { putRecord } from "../../../signup/record/record.ts";
import type { ConsentRow, SignupRecord } from "../../../signup/record/row.ts";
import { type Harness, harness, LIST } from "../../../../dev/testing/harness.ts";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";
import { type StubProvider, stubProvider } from "../../../../dev/testing/stub_provider.ts";
import { migrationReport } from "../report.ts";
import { readMigration } from "../run.ts";

export const NEW = "new-list";
export const OLD = "mailerlite";
const CONSENT: ConsentRow = {
  ...{ v: 1, id: "c1", at: 1, given: true, textHash: "hash", locale: "en", ip: "192.0.2.7", source: "popup" },
};

export interface MigrationWorld extends AsyncDisposable {
  app: Harness;
  /** The new provider is the one of the harness. */
  fresh: StubProvider;
  old: StubProvider;
}

/** Starts a harness with two providers that each have one list. */
export async function migrationWorld(settings: Layer = {}): Promise<MigrationWorld> {
  const old = stubProvider(new ManualClock());
  const app = await harness({
    settings: { ...settings, general: { mailerliteApiKey: "key" } },
    others: { [OLD]: old },
  });
  const lists = (id: string) => () =>
    Promise.resolve({ kind: "lists" as const, lists: [{ id, name: "News" }] });
  old.lists = lists(LIST);
  app.provider.lists = lists(NEW);
  return { app, fresh: app.provider, old, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** Adds somebody who is active here, with a status at the old provider. */
export async function addSignup(
  { app, old }: MigrationWorld,
  email: string,
  atOld: ListStatus | "absent" = "active",
  more: Partial<SignupRecord> = {},
): Promise<void> {
  const at = app.clock.now() - 1_000;
  const record: SignupRecord = {
    ...{ v: 2, email, list: LIST, status: "active", tags: ["news"], source: "popup", since: at },
    ...{ confirmed: { at, by: "webhook" }, createdAt: at, updatedAt: at, consent: CONSENT, ...more },
  };
  await putRecord(app.kv.atomic(), null, record).commit();
  if (atOld !== "absent") old.put(LIST, email, atOld);
}

/** Returns that many addresses. */
export const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `p${String(index).padStart(3, "0")}@example.com`);

/** Starts a move of the old list to the new one. */
export async function startMove({ app }: MigrationWorld, dryRun = false): Promise<void> {
  const input = { from: OLD, lists: { [LIST]: NEW }, dryRun };
  const outcome = await runAction(app.services, LOCAL, "cfbe_migrate_provider", input);
  assert.ok(outcome.ok, JSON.stringify(outcome));
}

/** Waits for the work, whose calls wait for the call budget. */
export function whileTimePasses<T>({ callClock }: Harness, work: Promise<T>): Promise<T> {
  return callClock.passDuring(work);
}

/** Runs jobs until the move ends, and returns its row. */
export async function finishMove({ app }: MigrationWorld) {
  for (let attempts = 0; attempts < 100; attempts++) {
    await whileTimePasses(app, app.work());
    const run = (await readMigration(app.kv))!;
    if (run.ended) return run;
    await app.clock.advance(60_000);
  }
  throw new Error("the move does not end");
}

export const notMoved = async ({ app }: MigrationWorld) => (await migrationReport(app.kv, undefined)).records;
/** Returns how often the new provider was asked to import the address. */
export const importsOf = ({ fresh }: MigrationWorld, email: string) =>
  fresh.calls.filter((call) => call === `import ${email}`).length;

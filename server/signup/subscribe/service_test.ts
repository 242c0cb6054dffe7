/** The signup service by itself. What it does behind each route is tested beside the routes. */
import assert from "node:assert/strict";
import type { Kv } from "../../platform/kv/port.ts";
import type { ConfigFile } from "../../settings/hooks/config_file.ts";
import { createHooks, type SignupDraft } from "../../settings/hooks/hooks.ts";
import { fenceOf, LeaseLost } from "../../platform/jobs/handler.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { createKeyring } from "../../platform/keys/keyring.ts";
import { Chains } from "../../platform/kv/chains.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { FullLimits } from "../../platform/limits/full_limits.ts";
import { createPolicies } from "../../platform/limits/policies.ts";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { deliverJob } from "../delivery/job.ts";
import { readConsents } from "../record/consents.ts";
import { type Signup, signupKey } from "../record/row.ts";
import { createSignupService } from "./service.ts";

type SignupFilter = NonNullable<ConfigFile["filters"]>["cfbe_signup"];

const policies = createPolicies(createKeyring(["a salt for tests, long enough to be one"]));
const ip = policies.ip("192.0.2.1");
const onceKey: Key<unknown> = typed(["test", "once"]);
const ADA: Signup = {
  email: "ada@example.com",
  list: "l",
  provider: "bluefox",
  tags: [],
  source: "checkout",
  consent: { given: true, locale: "en", ip: null },
};
const refusal = { reason: "not_configured" } as const;
const jobOf = (signup: Signup) => jobKey(deliverJob(signup, { id: "", source: signup.source, at: 0 }).id);

function serviceOn(
  kv: Kv,
  { filter, seed = 1 }: { filter?: SignupFilter | undefined; seed?: number } = {},
) {
  const clock = new ManualClock();
  const woken = { times: 0 };
  const service = createSignupService({
    signupProviders: { nameOf: () => "bluefox" },
    kv,
    clock,
    random: seededRandom(seed),
    chains: new Chains(),
    policies,
    fullLimits: new FullLimits(),
    hooks: createHooks({ filters: filter ? { cfbe_signup: filter } : {} }, { clock, log: memoryLog() }),
    wake: () => void woken.times++,
  });
  return { service, clock, woken };
}
const consentsOf = async (kv: Kv, { email, list }: Signup) =>
  readConsents(kv, (await readRow(kv, signupKey(email, list)))!);

Deno.test("only an accepted signup wakes the job runner", async () => {
  await using temp = await tempKv();
  const { service, woken } = serviceOn(temp.kv, {
    filter: (signup) => signup.email.startsWith("no") ? false : signup,
  });
  assert.equal((await service.accept({ ...ADA, email: "no@example.com" }, [])).kind, "filtered");
  assert.equal((await service.refuse([ip], refusal)).kind, "refused");
  assert.equal(woken.times, 0);
  assert.equal((await service.accept(ADA, [])).kind, "accepted");
  assert.equal(woken.times, 1);
});

Deno.test("a delivery is due at once, or after the given delay", async () => {
  await using temp = await tempKv();
  const { service, clock } = serviceOn(temp.kv);
  const eve = { ...ADA, email: "eve@example.com" };
  await service.accept(ADA, []);
  await service.accept(eve, [], { deliverInMs: 2_500 });
  assert.equal((await readRow(temp.kv, jobOf(ADA)))?.due, clock.now());
  assert.equal((await readRow(temp.kv, jobOf(eve)))?.due, clock.now() + 2_500);
});

Deno.test("a signup with a once-only marker is accepted once, and spends its limits once", async () => {
  await using temp = await tempKv();
  for (const filter of [undefined, (signup: SignupDraft) => signup]) {
    const { service, clock } = serviceOn(temp.kv, { filter });
    const marked = { ...ADA, email: filter ? "filtered@example.com" : ADA.email };
    const once: Key<unknown> = typed([...onceKey, marked.email]);
    for (let i = 0; i < 5; i++) {
      assert.deepEqual(await service.accept(marked, [], { once }), { kind: "accepted" });
    }
    assert.equal((await consentsOf(temp.kv, marked)).length, 1);
    assert.deepEqual(await readRow(temp.kv, once), { v: 1, at: clock.now() });
  }
});

Deno.test("a job that has lost its lease accepts nothing", async () => {
  await using temp = await tempKv();
  const fence = fenceOf("a job that is gone", "its token");
  for (const filter of [undefined, () => false as const]) {
    const { service } = serviceOn(temp.kv, { filter });
    await assert.rejects(service.accept(ADA, [], { fence }), LeaseLost);
  }
  assert.equal(await readRow(temp.kv, signupKey(ADA.email, ADA.list)), null);
});

Deno.test("the consent is stored with the form that asked for it, if there was one", async () => {
  await using temp = await tempKv();
  const { service } = serviceOn(temp.kv);
  const eve = { ...ADA, email: "eve@example.com", form: "footer" };
  await service.accept(ADA, []);
  await service.accept(eve, []);
  assert.equal(Object.hasOwn((await consentsOf(temp.kv, ADA))[0]!, "form"), false);
  assert.equal((await consentsOf(temp.kv, eve))[0]?.form, "footer");
});

Deno.test("requests of one process that share a limit queue for it: one commit each, without conflicts", async () => {
  await using temp = await tempKv();
  const { kv, counts } = countingKv(temp.kv);
  const { service } = serviceOn(kv);
  const emails = ["a@example.com", "b@example.com", "c@example.com"];
  await Promise.all(emails.map((email) => service.accept({ ...ADA, email }, [ip])));
  assert.equal(counts.commits, 3);
});

Deno.test("processes that share a limit admit exactly as many as it allows", async () => {
  await using temp = await tempKv();
  const admitted = async (request: (i: number) => Promise<{ kind: string }>) =>
    (await Promise.all(Array.from({ length: 9 }, (_, i) => request(i)))).filter(({ kind }) =>
      kind !== "limited"
    );
  const accepted = await admitted((i) =>
    serviceOn(temp.kv, { seed: i }).service.accept({ ...ADA, email: `a${i}@example.com` }, [ip])
  );
  assert.equal(accepted.length, ip.limit.max);
  const other = policies.ip("192.0.2.2");
  const refused = await admitted((i) => serviceOn(temp.kv, { seed: i }).service.refuse([other], refusal));
  assert.equal(refused.length, other.limit.max);
});

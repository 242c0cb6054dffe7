import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { startCheckout } from "../systems/testing/checkout.ts";
import type { Services } from "../../program/services.ts";
import { newJobRow } from "../../platform/jobs/add.ts";
import { fenceOf, type RunningJob } from "../../platform/jobs/handler.ts";
import { writeRow } from "../../platform/jobs/row.ts";
import { readRow } from "../../platform/kv/key.ts";
import { readConsents } from "../../signup/record/consents.ts";
import { signupKey } from "../../signup/record/row.ts";
import { checkoutSignupJob } from "./checkout_signup_job.ts";

const ANN = "ann@example.com";
const { id, name, payload } = checkoutSignupJob("an order's hmac", { email: ANN, label: "" });

/** An attempt, as the runner starts it. */
const running = {
  id,
  name,
  payload,
  attempt: 1,
  createdAt: 0,
  unknown: false,
  signal: new AbortController().signal,
  fence: fenceOf(id, "a token"),
} satisfies RunningJob<unknown>;

/** Stores the job as claimed by a process. */
async function claimed({ kv, clock }: Services) {
  const now = clock.now();
  const lease = { token: "a token", until: now + 60_000 };
  const tx = kv.atomic();
  writeRow(tx, null, { ...newJobRow({ id, name, payload, due: now }, now, []), state: "running", lease });
  await tx.commit();
}

Deno.test("an attempt that crashed after its commit and its retry make one signup", async () => {
  await using checkout = await startCheckout();
  const { services } = checkout.program;
  const definition = services.jobs.find((job) => job.name === name)!;
  await claimed(services);
  for (let attempt = 0; attempt < 3; attempt++) {
    assert.deepEqual(await definition.handle(running), { kind: "done" });
  }
  const list = services.settings.current().general.defaultList;
  const record = await readRow(services.kv, signupKey(ANN, list));
  assert.equal((await readConsents(services.kv, record!)).length, 1);
});

Deno.test("while no list is configured, the opt-in waits and is not lost", async () => {
  await using checkout = await startCheckout({ general: { defaultList: "" } });
  const { queue, services, runner } = checkout.program;
  await (await checkout.order({ email: ANN, optIn: true })).body?.cancel();
  await runner.idle();
  const { rows } = await queue.list({ state: "waiting" });
  const waiting = rows.find((row) => row.name === name)!;
  assert.match(waiting.history.at(-1)!.note, /No provider or no list/);

  const { knownLists } = services.settings.current().general;
  await services.settings.save("checkout", { list: knownLists[0]!.id });
  await checkout.runFor(60_000);
  assert.ok((await services.kv.get(keys.signup(ANN, knownLists[0]!.id))).value);
});

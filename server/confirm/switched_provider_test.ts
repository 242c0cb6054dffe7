import assert from "node:assert/strict";
import { addJob } from "../jobs/add.ts";
import { jobKey } from "../jobs/row.ts";
import { cas } from "../kv/cas.ts";
import { type Harness, harness, LIST } from "../testing/harness.ts";
import { ManualClock } from "../testing/manual_clock.ts";
import { type StubProvider, stubProvider, stubTrouble } from "../testing/stub_provider.ts";
import { checkJob } from "./check_job.ts";

const EMAIL = "ada@example.com";

/** Makes a signup pending at the provider of the settings, then chooses another one. */
async function switched(): Promise<Harness & { old: StubProvider }> {
  const old = stubProvider(new ManualClock());
  const app = await harness({ others: { sandbox: old } });
  await (await app.post({ email: EMAIL })).body?.cancel();
  await app.work();
  assert.equal((await app.record(EMAIL))!.provider, "sandbox");
  await app.services.settings.save("general", { provider: "mailerlite", mailerliteApiKey: "key" });
  old.put(LIST, EMAIL, "active");
  app.provider.calls.length = 0;
  return Object.assign(app, { old });
}

Deno.test("after another provider is chosen, the poll finds open confirmations at the old one", async () => {
  await using app = await switched();
  const report = await app.services.poll.run();
  assert.deepEqual([report.confirmed, report.trouble], [1, undefined]);
  assert.equal((await app.record(EMAIL))!.status, "active");
  assert.deepEqual(app.provider.calls, []);
});

Deno.test("after another provider is chosen, a check of an open confirmation asks the old one", async () => {
  await using app = await switched();
  const check = checkJob({ email: EMAIL, list: LIST }, "admin");
  const { clock, kv, services: { random } } = app;
  await cas(kv, { job: jobKey(check.id) }, ({ job }) => ({
    value: undefined,
    write: (tx) => void addJob(tx, job, { ...check, due: clock.now() }, clock.now()),
  }), { clock, random });
  await app.work();
  assert.equal((await app.record(EMAIL))!.status, "active");
  assert.deepEqual(app.provider.calls, []);
});

Deno.test("new signups are delivered to the new provider, and an outage of the old one does not stop their poll", async () => {
  await using app = await switched();
  await app.services.settings.save("general", { defaultList: "new-list" });
  await (await app.post({ email: "new@example.com" })).body?.cancel();
  await app.work();
  const record = (await app.record("new@example.com", "new-list"))!;
  assert.deepEqual([record.status, record.provider], ["pending", "mailerlite"]);
  app.provider.put("new-list", "new@example.com", "active");
  app.old.nextResults.page.push(stubTrouble());
  const report = await app.services.poll.run();
  assert.deepEqual([report.confirmed, report.trouble], [1, "HTTP 503"]);
  assert.equal((await app.record("new@example.com", "new-list"))!.status, "active");
  assert.equal((await app.record(EMAIL))!.status, "pending");
});

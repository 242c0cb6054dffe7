import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

Deno.test("the Jobs page lists the jobs of each state with their attempts, and retries a failed job", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  assert.match((await admin.page("/jobs")).html, /No queued jobs/);
  await app.post({ email: "ada@example.com" });
  const waiting = await admin.page("/jobs");
  assert.match(waiting.html, /Deliver signup/);
  assert.match(waiting.html, /ada@example\.com/);

  const [job] = await app.queue.claim(1);
  await app.queue.finish(job!, { kind: "dead", reason: "the provider says <never>" });
  const dead = await admin.page("/jobs?state=dead");
  assert.match(dead.html, /the provider says &lt;never>/);
  await (await admin.send("cfbe_retry_job", { id: job!.row.id })).body?.cancel();
  assert.match((await admin.page("/jobs?state=dead")).html, /No failed jobs/);
  assert.equal((await app.queue.get(job!.row.id))?.state, "waiting");
});

Deno.test("the Jobs page says that no job is late, and otherwise by how much", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const delay = async () =>
    /<dt>Longest delay<\/dt><dd><strong>([^<]*)/.exec((await admin.page("/jobs")).html)?.[1];
  assert.equal(await delay(), "None");
  await app.post({ email: "ada@example.com" });
  await app.clock.advance(2 * 60_000);
  assert.equal(await delay(), "2 min");
});

Deno.test("the Jobs page runs jobs now that wait for their retry: one, or all of them", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  for (const name of ["ada", "bob", "cleo"]) {
    await app.post({ email: `${name}@example.com` }, { peer: `192.0.2.${name.length}` });
  }
  const queued = await admin.page("/jobs");
  assert.doesNotMatch(queued.html, /Run now|Run all retries now/, "nothing has failed yet");

  const jobs = await app.queue.claim(3);
  for (const job of jobs) {
    await app.queue.finish(job, { kind: "retry", reason: "HTTP 503", retryAfterMs: 3_600_000 });
  }
  await app.clock.advance(1);
  const { html } = await admin.page("/jobs");
  assert.equal(html.match(/>Run now</g)?.length, 3);
  assert.match(html, />Run all retries now</);
  await (await admin.send("cfbe_retry_job", { id: jobs[0]!.row.id })).body?.cancel();
  assert.equal((await admin.page("/jobs")).html.match(/>Run now</g)?.length, 2);
  await (await admin.send("cfbe_retry_waiting_jobs", {})).body?.cancel();
  assert.equal((await app.queue.claim(3)).length, 3);
});

Deno.test("jobs are shown page by page, and an invalid cursor shows the first page", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn("viewer");
  for (let n = 0; n < 60; n++) {
    await app.post({ email: `reader-${n}@example.com` }, { peer: `192.0.2.${n}` });
    await app.clock.advance(3_000);
  }
  const first = await admin.page("/jobs");
  const shown = (html: string) => [...html.matchAll(/reader-(\d+)@/g)].map(([, n]) => Number(n));
  const next = first.html.match(/href="[^"]*(\?state=waiting&amp;after=[^"]*)"/)![1]!.replaceAll(
    "&amp;",
    "&",
  );
  const second = await admin.page(`/jobs${next}`);
  assert.equal(new Set([...shown(first.html), ...shown(second.html)]).size, 60);
  assert.deepEqual(shown((await admin.page("/jobs?after=nonsense")).html), shown(first.html));
  assert.equal((await admin.page("/jobs?state=nonsense")).status, 200);
});

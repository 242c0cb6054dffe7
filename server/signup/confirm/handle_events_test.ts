import assert from "node:assert/strict";
import type { ProviderEvent } from "../../providers/port/webhook.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { createEventHandler } from "./handle_events.ts";
import { addPending, emailOf } from "./testing/polls.ts";
import { checks } from "./testing/webhooks.ts";

/** A webhook call with several events. */

const confirmed = (email: string, list?: string): ProviderEvent => ({
  kind: "subscription",
  email,
  change: "active",
  ...(list !== undefined && { list }),
});

/** Sends a call with these events, and returns the response. */
async function send(app: Harness, events: ProviderEvent[]): Promise<unknown> {
  app.provider.readWebhook = () => Promise.resolve({ kind: "read", type: "batch", payload: {}, events });
  return await (await app.hook({})).json();
}

Deno.test("a call with a hundred events takes as few more commits as the database allows, so that it is answered in time, and queues every check", async () => {
  await using app = await harness();
  await addPending(app, 100);
  const emails = Array.from({ length: 100 }, (_, i) => emailOf(i));
  app.reset();
  await send(app, []);
  const { commits } = app.counts;
  app.reset();
  const response = await send(app, emails.map((email) => confirmed(email, LIST)));
  assert.deepEqual(response, { ok: true, action: "queued" });
  assert.equal(app.counts.commits - commits, Math.ceil(100 / app.kv.engine.limits.checks));
  assert.deepEqual(
    (await checks(app)).toSorted(),
    emails.map((email) => `webhook ${email} ${LIST}`).toSorted(),
  );
});

Deno.test("several events of one address queue one check per list, and events of strangers queue none", async () => {
  await using app = await harness();
  for (const list of ["a", "b"]) await addPending(app, 2, { list });
  const events = [confirmed(emailOf(0)), confirmed(emailOf(0), "a"), confirmed("stranger@example.com")];
  assert.deepEqual(await send(app, events), { ok: true, action: "queued" });
  assert.deepEqual(await checks(app), [`webhook ${emailOf(0)} a`, `webhook ${emailOf(0)} b`]);
  assert.deepEqual(await send(app, [confirmed("stranger@example.com")]), { ok: true, action: "ignored" });
});

Deno.test("an address on more lists than fit into a commit gets a check for each", async () => {
  await using app = await harness();
  const lists = Array.from({ length: 60 }, (_, i) => `list${i}`);
  for (const list of lists) await addPending(app, 1, { list });
  await send(app, [confirmed(emailOf(0))]);
  assert.equal((await checks(app)).length, lists.length);
});

Deno.test("events that queue a check wake the runner, and others do not", async () => {
  await using app = await harness();
  await addPending(app, 1);
  let woken = 0;
  const handle = createEventHandler({ ...app.services, wake: () => void woken++ });
  const provider = app.services.settings.current().general.provider;
  assert.equal(await handle([confirmed("stranger@example.com"), { kind: "mail" }], provider), "received");
  assert.equal(woken, 0);
  assert.equal(await handle([confirmed(emailOf(0))], provider), "queued");
  assert.equal(woken, 1);
});

import assert from "node:assert/strict";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { startIntermediary } from "../../sandbox/testing/intermediary.ts";
import { serveSandbox } from "../../sandbox/testing/serve.ts";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { deliveryKey, maybeDeliveredOn } from "./maybe_delivered.ts";
import { addPending, emailOf } from "./testing/polls.ts";

/**
 * The real program and the real adapter over HTTP, with a provider that accepts a signup without saying that it is
 * pending, and then responds with 429.
 */

const ADA = "ada@example.com";

Deno.test("after 201 and then 503 with Retry-After of an hour, the next poll still finds the confirmation", async () => {
  await using served = await serveSandbox();
  const { project, apiKey, list } = served.provisioned;
  const person = `/subscriber-lists/${list}/subscribers/${encodeURIComponent(ADA)}`;
  let reads = 0;
  await using proxy = startIntermediary(served.sandbox.apiUrl, async (request, send) => {
    if (request.method === "POST") {
      await (await send()).body?.cancel();
      return Response.json({ status: 201, result: {} }, { status: 201 });
    }
    const isRead = request.method === "GET" && new URL(request.url).pathname.endsWith(person);
    // The first read happens before the subscribe request.
    if (!isRead || ++reads !== 2) return await send();
    return new Response("{}", { status: 503, headers: { "retry-after": "3600" } });
  });
  await using program = await startProgram({
    env: {
      CFBE_PROVIDER: "bluefox",
      CFBE_PROVIDER_URL: proxy.url,
      CFBE_PROVIDER_PROJECT: project,
      CFBE_PROVIDER_API_KEY: apiKey,
    },
    file: { settings: { general: { defaultList: list } } },
  });
  await (await program.subscribe({ email: ADA })).body?.cancel();
  await program.runner.idle();
  const state = async () => (await signupStatuses(program.services, ADA))![0]!;
  const { record, jobs: [delivery] } = await state();
  assert.deepEqual([record.status, delivery?.state, reads], ["queued", "waiting", 2]);

  await (await served.api(person, { method: "PATCH", json: { status: "active" } })).body?.cancel();
  await program.tick();
  await program.runner.idle();
  const confirmed = (await state()).record;
  assert.deepEqual([confirmed.status, confirmed.confirmed?.by], ["active", "poll"]);
});

Deno.test("of any number of queued signups, exactly those are found whose delivery waits with an unknown result", async () => {
  await using app = await harness();
  await addPending(app, 23, { status: "queued" });
  const jobs = { 0: ["waiting", true], 9: ["waiting", false], 10: ["running", true], 22: ["waiting", true] };
  for (const [at, [state, unknown]] of Object.entries(jobs)) {
    await app.kv.set(deliveryKey({ email: emailOf(Number(at)), list: LIST }), { state, unknown });
  }
  const found = await Array.fromAsync(maybeDeliveredOn(app.kv, LIST));
  assert.deepEqual(found.toSorted(), [emailOf(0), emailOf(22)]);
});

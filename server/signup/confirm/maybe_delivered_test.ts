import assert from "node:assert/strict";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { startIntermediary } from "../../sandbox/testing/intermediary.ts";
import { serveSandbox } from "../../sandbox/testing/serve.ts";
import { startProgram } from "../../../dev/testing/program.ts";

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

import assert from "node:assert/strict";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";
import { confirmAtSandbox } from "./testing/confirm_at_sandbox.ts";

/** The poll without webhooks, with the real adapter and the sandbox over HTTP. */

const ADA = "ada@example.com";

const withoutWebhooks: Record<string, (program: TestProgram) => Promise<Response>> = {
  "lost": ({ baseUrl }) =>
    fetch(`${baseUrl}/sandbox/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ webhooks: "lose" }),
    }),
  "not registered": ({ baseUrl }) =>
    fetch(`${baseUrl}/sandbox/webhook/remove`, {
      method: "POST",
      headers: { origin: new URL(baseUrl).origin },
    }),
};
for (const [name, arrange] of Object.entries(withoutWebhooks)) {
  Deno.test(`a confirmation whose webhook is ${name} is found by the poll`, async () => {
    await using program = await startProgram();
    const arranged = await arrange(program);
    assert.equal(arranged.ok, true, await arranged.text());
    await (await program.subscribe({ email: ADA })).body?.cancel();
    await program.runner.idle();
    assert.equal((await program.services.poll.run()).confirmed, 0);
    await confirmAtSandbox(program, ADA);
    await program.runner.idle();
    assert.equal((await signupStatuses(program.services, ADA))![0]!.record.status, "pending");
    await program.tick();
    await program.runner.idle();
    const { record } = (await signupStatuses(program.services, ADA))![0]!;
    assert.deepEqual([record.status, record.confirmed?.by], ["active", "poll"]);
  });
}

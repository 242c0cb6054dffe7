import assert from "node:assert/strict";
import type { TestProgram } from "../../../../dev/testing/program.ts";

/** Confirms an address at the sandbox, as the link in the email does, and waits for its webhook. */
export async function confirmAtSandbox({ sandbox }: TestProgram, email: string): Promise<void> {
  const { project, apiKey, list } = await sandbox!.provision();
  const path = `/v1/projectId/${project}/subscriber-lists/${list}/subscribers/${email}`;
  const response = await fetch(sandbox!.apiUrl + path, {
    method: "PATCH",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ status: "active" }),
  });
  assert.equal(response.status, 200, await response.text());
  await sandbox!.idle();
}

import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";

/** Starts the program with the API token that `integrationSignup` sends. */
export const startWithIntegrations = (settings = {}, clock = new ManualClock()) =>
  startProgram({
    clock,
    run: false,
    env: { CFBE_API_TOKEN: "a-token-for-integrations" },
    file: { settings },
  });

/** Sends a signup like another system. @returns the status and the body of the response */
export async function integrationSignup(
  program: TestProgram,
  body: unknown,
  token = "a-token-for-integrations",
) {
  const response = await fetch(`${program.baseUrl}/integrations/signup`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  assert.equal(response.headers.get("cache-control"), "no-store");
  const json = await response.json();
  return { status: response.status, ...json };
}

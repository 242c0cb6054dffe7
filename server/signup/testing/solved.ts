import { createHash } from "node:crypto";
import type { FormToken } from "../../../shared/contract.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import type { Harness } from "../../../dev/testing/harness.ts";

/** Returns a form token, with the proof that attack mode asks for, and the challenge. */
export async function fetchToken(app: Pick<Harness, "fetch">): Promise<FormToken & { proven: string }> {
  const response = await app.fetch(`${NAMESPACE}/form-token`);
  const body = await response.json() as FormToken;
  return { ...body, proven: body.challenge ? `${body.token}.${solve(body.challenge)}` : body.token };
}

function solve({ maxnumber, ...challenge }: NonNullable<FormToken["challenge"]>): string {
  for (let number = 0; number <= maxnumber; number++) {
    const hash = createHash("sha256").update(`${challenge.salt}${number}`).digest("hex");
    if (hash === challenge.challenge) return btoa(JSON.stringify({ ...challenge, number }));
  }
  throw new Error("no solution");
}

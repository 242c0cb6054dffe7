import type { Context } from "hono";
import type { FormToken } from "../../shared/contract.ts";
import type { Clock } from "../deps.ts";
import { issueToken } from "./form_token.ts";
import type { Keyring } from "./keyring.ts";

/** `GET form-token` (contract §4.2). */
export function formTokenRoute({ keyring, clock }: { keyring: Keyring; clock: Clock }) {
  return (c: Context) => c.json({ token: issueToken(keyring, clock.now()) } satisfies FormToken);
}

import { Buffer } from "node:buffer";
import { z } from "zod";
import { asObject, parseJson } from "../../../platform/http/request_body.ts";
import type { Keyring } from "../../../platform/keys/keyring.ts";

/** How long somebody has to sign in at the identity provider. */
const FLOW_MS = 10 * 60_000;

/** What somebody goes to the identity provider for. */
const Purpose = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sign-in") }),
  /** To sign in again, not with the session there, before something dangerous. */
  z.object({ kind: z.literal("again") }),
  /** To connect the user of a session. */
  z.object({ kind: z.literal("connect"), session: z.string() }),
  /** To accept an invitation. */
  z.object({ kind: z.literal("invitation"), token: z.string() }),
]);
export type FlowPurpose = z.output<typeof Purpose>;

const Flow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  purpose: Purpose,
  /** Path in the admin to open afterward. */
  next: z.string(),
  at: z.number(),
});

/** What the browser remembers while somebody is at the identity provider. */
export type Flow = z.output<typeof Flow>;

/** Returns the value of the cookie: the flow, signed. */
export function sealedFlow(keyring: Keyring, flow: Flow): string {
  const text = Buffer.from(JSON.stringify(flow)).toString("base64url");
  return `${text}.${keyring.sign("cfbe/admin-oidc", text)}`;
}

/** Returns the flow of a cookie, unless it is changed or older than ten minutes. */
export function openedFlow(keyring: Keyring, cookie: string | undefined, now: number): Flow | undefined {
  const [, text, signature] = /^([\w-]{1,3000})\.([\w-]{43})$/.exec(cookie ?? "") ?? [];
  if (text === undefined || signature === undefined) return undefined;
  if (!keyring.verify("cfbe/admin-oidc", text, signature)) return undefined;
  const flow = Flow.safeParse(asObject(parseJson(Buffer.from(text, "base64url")))).data;
  return flow && Math.abs(now - flow.at) < FLOW_MS ? flow : undefined;
}

import type { Context } from "hono";
import { type Config, isLoopback, pathPrefix } from "../../platform/config/config.ts";
import { refuse } from "../../platform/http/errors.ts";
import type { HasJson } from "../../platform/http/guards/json_object.ts";
import { peerIp } from "../../platform/http/visitor/client_ip.ts";
import { secretsEqual } from "../../platform/keys/keyring.ts";
import type { ApiTokens } from "../../platform/tokens/store.ts";
import { Challenge, proofOf } from "./proof.ts";

/** Headers that proxies set; a direct request has none of them. */
const PROXY_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-real-ip",
  "cf-connecting-ip",
];

/** `POST {base_url}/ops/proof`: proves to a caller who knows an API token that this service knows it too. */
export function proofRoute({ config, apiTokens }: { config: Config; apiTokens: Pick<ApiTokens, "hashOf"> }) {
  return async (c: Context<HasJson>): Promise<Response> => {
    const read = Challenge.safeParse(c.var.json);
    const id = read.data?.id;
    const shared = id === undefined ? config.apiToken : await apiTokens.hashOf(id);
    const isProven = read.success && shared && isOurs(config, read.data.at, c) &&
      secretsEqual(read.data.proof, proofOf("caller", shared, read.data));
    if (!isProven) {
      return await refuse(c, "unauthorized", { detail: "The proof is wrong, or was made for another URL." });
    }
    return c.json({ proof: proofOf("service", shared, read.data) });
  };
}

/**
 * Returns whether the URL is one of this service: its public URL, or 127.0.0.1 with its port. Every machine has its own
 * 127.0.0.1, so that one counts only for a direct connection from this machine.
 */
function isOurs({ port, baseUrl }: Config, at: string, c: Context): boolean {
  if (at !== baseUrl && at !== `http://127.0.0.1:${port}${pathPrefix(baseUrl)}`) return false;
  if (!isLoopback(at)) return true;
  const peer = peerIp(c);
  return /^(::ffff:)?127\.|^::1$/.test(peer) &&
    PROXY_HEADERS.every((name) => c.req.header(name) === undefined);
}

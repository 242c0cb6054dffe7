import { Buffer } from "node:buffer";
import type * as Oauth from "oauth4webapi";
import type { OidcConfig } from "../../../platform/config/config.ts";
import { isLoopback } from "../../../platform/config/config.ts";
import type { Clock, Fetch, Random } from "../../../platform/deps.ts";
import { exchange } from "../../../platform/http/outbound.ts";
import { loadOnce } from "../../../platform/load_once.ts";
import type { Flow, FlowPurpose } from "./flow.ts";

/** Signing in with an identity provider: OpenID Connect with the authorization code flow and PKCE. */

/** Whom the identity provider has signed in. */
export interface Claims {
  issuer: string;
  subject: string;
  email?: string;
  /** Whether the provider says that it has verified the address. */
  emailVerified: boolean;
  name?: string;
  /** The values of the claim that gives roles; none if the provider does not send it. */
  groups: readonly string[];
  /** Whether they have just signed in there, and not with a session that the browser had. */
  isFresh: boolean;
}

/** The identity provider did not answer, or not as it should. `detail` is for the log and contains no secret. */
export class ProviderDown extends Error {
  override readonly name = "ProviderDown";
  constructor(readonly detail: string) {
    super("The identity provider can't be used now.");
  }
}

/** The answer is not the one to this request: replayed, changed, or of another provider. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
  constructor(readonly detail: string) {
    super("The answer of the identity provider is not valid.");
  }
}

const TIMEOUT_MS = 10_000;
const BODY_BYTES = 256 * 1024;
/** How long the provider's metadata is used. */
const METADATA_MS = 60 * 60_000;
/** How long ago somebody may have signed in there who is asked to sign in again. */
const AGAIN_SECONDS = 5 * 60;
/** How long it is not asked again after that has failed. */
const FAILED_MS = 5_000;
const RANDOM_BYTES = 32;

const library = loadOnce(() => import("oauth4webapi"));

export type OidcClient = ReturnType<typeof createOidcClient>;

/** Creates the client of an identity provider. @param redirectUri where it sends people back to */
export function createOidcClient(
  { oidc, redirectUri, fetch, clock, random }: {
    oidc: OidcConfig;
    redirectUri: string;
    fetch: Fetch;
    clock: Clock;
    random: Random;
  },
) {
  let known: { server: Oauth.AuthorizationServer; at: number } | undefined;
  let failed: { error: ProviderDown; at: number } | undefined;
  const secret = () => Buffer.from(random.bytes(RANDOM_BYTES)).toString("base64url");
  const client: Oauth.Client = { client_id: oidc.clientId };

  async function options() {
    const oauth = await library();
    return { [oauth.customFetch]: send, [oauth.allowInsecureRequests]: isLoopback(oidc.issuer) };
  }

  async function send(url: string, { method, headers, body }: Oauth.CustomFetchOptions<string, unknown>) {
    const sent = { method, url, headers, ...(body !== undefined && body !== null && { body: String(body) }) };
    const result = await exchange(fetch, sent, {
      timeoutMs: TIMEOUT_MS,
      bodyBytes: BODY_BYTES,
      timer: clock,
    });
    if (result.kind !== "answered") throw new ProviderDown(result.detail);
    if (result.status >= 500 || result.status === 429) throw new ProviderDown(`status ${result.status}`);
    return new Response(JSON.stringify(result.json ?? null), {
      status: result.status,
      headers: jsonType(result.headers),
    });
  }

  async function server(): Promise<Oauth.AuthorizationServer> {
    const now = clock.now();
    if (known && Math.abs(now - known.at) < METADATA_MS) return known.server;
    // Strangers can ask as often as they like.
    if (failed && Math.abs(now - failed.at) < FAILED_MS) throw failed.error;
    const oauth = await library();
    const issuer = new URL(oidc.issuer);
    try {
      const response = await oauth.discoveryRequest(issuer, await options());
      known = { server: await oauth.processDiscoveryResponse(issuer, response), at: now };
      return known.server;
    } catch (error) {
      const down = error instanceof ProviderDown
        ? error
        : new ProviderDown(`its metadata is invalid: ${messageOf(error)}`);
      failed = { error: down, at: now };
      throw down;
    }
  }

  return {
    name: oidc.name,
    /** Returns where to send somebody, and what their browser has to remember. @throws {ProviderDown} */
    async start(purpose: FlowPurpose, next: string): Promise<{ url: string; flow: Flow }> {
      const { authorization_endpoint: endpoint, scopes_supported: scopes } = await server();
      if (endpoint === undefined) throw new ProviderDown("its metadata names no authorization endpoint");
      const { calculatePKCECodeChallenge } = await library();
      const flow = { state: secret(), nonce: secret(), verifier: secret(), purpose, next, at: clock.now() };
      const url = new URL(endpoint);
      const parameters = {
        client_id: oidc.clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: scopeOf(scopes),
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: "S256",
        ...(purpose.kind === "again" && { prompt: "login", max_age: String(AGAIN_SECONDS) }),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, flow };
    },
    /**
     * Returns whom the provider has signed in. The ID token's signature is verified, besides issuer, audience, nonce and time.
     *
     * @param query with which the browser came back
     * @throws {ProviderDown}
     * @throws {BadAnswer}
     */
    async finish(flow: Flow, query: URLSearchParams): Promise<Claims> {
      const as = await server();
      const oauth = await library();
      const more = await options();
      try {
        const answer = oauth.validateAuthResponse(as, client, query, flow.state);
        const auth = oauth.ClientSecretBasic(oidc.clientSecret);
        const response = await oauth.authorizationCodeGrantRequest(
          as,
          client,
          auth,
          answer,
          redirectUri,
          flow.verifier,
          more,
        );
        const result = await oauth.processAuthorizationCodeResponse(as, client, response, {
          expectedNonce: flow.nonce,
          ...(flow.purpose.kind === "again" && { maxAge: AGAIN_SECONDS }),
        });
        await oauth.validateApplicationLevelSignature(as, response, more);
        const claims = await claimsOf(as, oauth.getValidatedIdTokenClaims(result)!, result.access_token);
        return { ...claims, isFresh: flow.purpose.kind === "again" };
      } catch (error) {
        if (error instanceof ProviderDown) throw error;
        throw new BadAnswer(messageOf(error));
      }
    },
  };

  /** Some providers send the groups only to those who ask for them, by a scope of the same name. */
  function scopeOf(supported: readonly string[] = []): string {
    const asksForGroups = oidc.roles.length > 0 && supported.includes(oidc.roleClaim);
    return ["openid", "email", "profile", ...(asksForGroups ? [oidc.roleClaim] : [])].join(" ");
  }

  /** Providers may have the address and the groups only in their answer about the user. */
  async function claimsOf(
    as: Oauth.AuthorizationServer,
    token: Oauth.IDToken,
    access: string,
  ): Promise<Omit<Claims, "isFresh">> {
    const oauth = await library();
    let claims: Record<string, unknown> = token;
    let groups = token[oidc.roleClaim];
    const lacksEmail = token["email"] === undefined;
    const lacksGroups = oidc.roles.length > 0 && groups === undefined;
    if ((lacksEmail || lacksGroups) && as.userinfo_endpoint !== undefined) {
      const response = await oauth.userInfoRequest(as, client, access, await options());
      const about = await oauth.processUserInfoResponse(as, client, token.sub, response);
      // An address and whether it is verified belong together.
      if (lacksEmail) claims = about;
      groups ??= about[oidc.roleClaim];
    }
    const text = (name: string) =>
      typeof claims[name] === "string" ? (claims[name] as string).slice(0, 200) : undefined;
    const [email, name] = [text("email"), text("name")];
    return {
      issuer: token.iss,
      subject: token.sub,
      emailVerified: claims["email_verified"] === true,
      groups: valuesOf(groups),
      ...(email && { email }),
      ...(name && { name }),
    };
  }
}

/** Returns the values of a claim that has one or several. */
function valuesOf(claim: unknown): string[] {
  return (Array.isArray(claim) ? claim : [claim]).filter((each) => typeof each === "string");
}

/** The body is written again, so that neither its length nor its encoding still holds. */
function jsonType(headers: Headers): Record<string, string> {
  const names = ["content-type", "www-authenticate"];
  return Object.fromEntries(names.flatMap((name) => headers.has(name) ? [[name, headers.get(name)!]] : []));
}

/** Returns what is wrong, without what the provider wrote. */
function messageOf(error: unknown): string {
  const { code, error: refused } = error as { code?: unknown; error?: unknown };
  const parts = [code, refused].filter((part) => typeof part === "string" && /^[\w.-]{1,60}$/.test(part));
  return parts.length > 0 ? parts.join(" ") : error instanceof Error ? error.name : "unknown";
}

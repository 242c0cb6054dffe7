import type { Config } from "../config/config.ts";
import { secretsEqual } from "../keys/keyring.ts";
import { ALL_SCOPES } from "../tokens/scopes.ts";
import type { ApiTokens, KnownToken } from "../tokens/store.ts";
import { bearerOf } from "./bearer.ts";

/** Has an API token: a script, or the command line, which says so. */
export interface TokenActor {
  kind: "token";
  isCommandLine: boolean;
  /** May contain scopes of a newer version. */
  scopes: readonly string[];
  /** Absent for the token of the environment or of the file beside the database. */
  token?: KnownToken;
}

export interface TokenDeps {
  config: Pick<Config, "apiToken">;
  apiTokens: Pick<ApiTokens, "use">;
}

/** The header with which the command line names itself. It is a label for the audit log, and allows nothing. */
export const CLIENT_HEADER = "x-cfbe-client";
export const COMMAND_LINE = "command-line";

/** Returns the actor of a request with an API token; undefined with another token or without one. */
export async function tokenActorOf(
  headers: Headers,
  { config, apiTokens }: TokenDeps,
): Promise<TokenActor | undefined> {
  const bearer = bearerOf(headers);
  if (bearer === undefined) return undefined;
  const isCommandLine = headers.get(CLIENT_HEADER) === COMMAND_LINE;
  // Needs no database, so that the command line can say what is wrong with it.
  if (secretsEqual(bearer, config.apiToken)) return { kind: "token", isCommandLine, scopes: ALL_SCOPES };
  const token = await apiTokens.use(bearer);
  return token && { kind: "token", isCommandLine, scopes: token.scopes, token };
}

import { bearerOf } from "./bearer.ts";
import { secretsEqual } from "../keys/keyring.ts";

/** Has the API token: a script, or the command line, which says so. */
export interface TokenActor {
  kind: "token";
  isCommandLine: boolean;
}

/** The header with which the command line names itself. It is a label for the audit log, and allows nothing. */
export const CLIENT_HEADER = "x-cfbe-client";
export const COMMAND_LINE = "command-line";

/** Returns the actor of a request with the API token; undefined with another token or without one. */
export function tokenActorOf(headers: Headers, apiToken: string | undefined): TokenActor | undefined {
  if (!secretsEqual(bearerOf(headers), apiToken)) return undefined;
  return { kind: "token", isCommandLine: headers.get(CLIENT_HEADER) === COMMAND_LINE };
}

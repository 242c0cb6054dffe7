import { dirname } from "node:path";
import { StartError } from "../config/start_error.ts";
import { withoutPassword } from "./address.ts";
import { causeOf, databaseText, mayPass, restoreAdvice } from "./trouble.ts";

/** The database can't be opened; the message says why and what to do. */
export class DatabaseUnusable extends StartError {
  override readonly name = "DatabaseUnusable";
}

/**
 * Returns an error for the operator from an error of an embedded database.
 *
 * @param file the value of `CFBE_KV`
 * @param error thrown when creating its folder, locking it or opening it
 */
export function unusableFile(file: string, error: unknown): DatabaseUnusable {
  const folder = dirname(file);
  const message = messageOf(error);
  if (error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.AlreadyExists) {
    return unusable(file, `${folder} is not a folder`, "Set CFBE_KV to a file in a folder.");
  }
  if (error instanceof Deno.errors.NotCapable) {
    return unusable(file, "Deno has no permission for it", `Allow it with ${permissionsFor(folder)}.`);
  }
  const cause = causeOf(error);
  if (error instanceof Deno.errors.PermissionDenied || cause === "denied") {
    return unusable(
      file,
      "this user can't read and write it",
      `Give the folder ${folder} and its files to the user that runs cfbe, or set CFBE_KV to another file.`,
    );
  }
  if (/not a database/.test(message)) {
    return unusable(
      file,
      message,
      `Set CFBE_KV to another file. If this one was your database, it is damaged: ${restoreAdvice(file)}`,
    );
  }
  if (cause === undefined || mayPass(cause)) {
    return unusable(file, message, `Check that the disk of ${folder} is neither full nor read-only.`);
  }
  const { what, todo } = databaseText({ cause, reason: message }, file, { ended: true });
  return new DatabaseUnusable(`${what} ${todo}`);
}

/**
 * Returns an error for the operator from an error of a KV Connect server.
 *
 * @param address the value of `CFBE_KV`, or undefined for the database of Deno Deploy
 */
export function unusableServer(address: string | undefined, error: unknown): DatabaseUnusable {
  // A message of Deno contains the address.
  const message = messageOf(error).replace(/\bhttps?:\/\/\S*(?<![:;)'])/g, withoutPassword);
  if (address === undefined) {
    return unusable(
      "of Deno Deploy",
      message,
      "Assign a KV database to the app's timelines, or set CFBE_KV.",
    );
  }
  const name = withoutPassword(address);
  if (/^Invalid database url/.test(message)) {
    return unusable(
      name,
      "its address is malformed",
      "Set CFBE_KV to https://host/path of a KV Connect server.",
    );
  }
  if (/Missing DENO_KV_ACCESS_TOKEN/.test(message)) {
    return unusable(name, "it needs a token", "Set DENO_KV_ACCESS_TOKEN to the server's access token.");
  }
  if (/status 40[13]/.test(message)) {
    return unusable(name, "it rejected the token", "Correct DENO_KV_ACCESS_TOKEN.");
  }
  if (error instanceof Deno.errors.NotCapable) {
    return unusable(
      name,
      "Deno has no permission for it",
      `Allow it with --allow-net=${hostOf(address)}.`,
    );
  }
  if (/failed to connect|error sending request|timed out/.test(message)) {
    const cause = /(?<=error: )[^:]+(?= \(os error)|timed out/.exec(message)?.[0] ?? "no connection";
    return unusable(name, `it can't be reached (${cause})`, "Start the server, or correct CFBE_KV.");
  }
  return unusable(name, message, "Set CFBE_KV to the URL of a KV Connect server.");
}

/** Returns an error for the operator about the address of a server of another kind, which is not taken for a file. */
export function unknownServer(address: string): DatabaseUnusable {
  return unusable(
    withoutPassword(address),
    "cfbe does not support databases of this kind",
    "Set CFBE_KV to a file, or to an address that starts with postgres:// or https://.",
  );
}

/** SQLSTATE of PostgreSQL, and codes of its library, with what to do. */
const POSTGRES_CAUSES: readonly (readonly [RegExp, string, string])[] = [
  [/^28/, "the server refused the user or the password", "Correct them in CFBE_KV."],
  [
    /^3D000$/,
    "the server has no database of this name",
    "Create it, or correct the name at the end of CFBE_KV.",
  ],
  [
    /^42501$/,
    "its user may not create a table there",
    "Run `GRANT CREATE, USAGE ON SCHEMA public TO` that user, or create the table yourself.",
  ],
  [
    /^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|ERR_TLS)/,
    "the server's certificate is not valid",
    "Name the server as its certificate does. If it is self-signed, add ?sslmode=require to CFBE_KV.",
  ],
  [
    /^(53300|57P03)$/,
    "the server accepts no more connections now",
    "Start again in a moment, or raise its max_connections.",
  ],
  [
    /^(CONNECT|ECONN|ENOTFOUND|ENOENT|ETIMEDOUT|EHOST|EAI_)/,
    "it can't be reached",
    "Start the server, or correct CFBE_KV.",
  ],
];

/** Returns an error for the operator from an error of a PostgreSQL server. Never contains the password. */
export function unusablePostgres(address: string, error: unknown): DatabaseUnusable {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = POSTGRES_CAUSES.find(([pattern]) => pattern.test(code));
  const name = withoutPassword(address);
  if (known) return unusable(name, `${known[1]} (${code})`, known[2]);
  return unusable(name, messageOf(error), "Set CFBE_KV to postgres://user:password@host/database.");
}

/**
 * Returns an error for the operator from an error of an embedded database that was open; undefined if it is not an error
 * of the database, or a passing one.
 */
export function failedFile(file: string | undefined, error: unknown): DatabaseUnusable | undefined {
  if (file === undefined || error instanceof StartError) return undefined;
  const cause = causeOf(error);
  return cause === undefined || mayPass(cause) ? undefined : unusableFile(file, error);
}

function unusable(database: string, why: string, todo: string): DatabaseUnusable {
  return new DatabaseUnusable(`The database ${database} can't be opened: ${why}. ${todo}`);
}

function permissionsFor(folder: string): string {
  return `--allow-read=${folder} --allow-write=${folder}`;
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? "…";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

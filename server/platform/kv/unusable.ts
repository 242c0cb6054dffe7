import { dirname } from "node:path";
import { StartError } from "../config/start_error.ts";
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
  const { what, todo } = databaseText({ cause, reason: message }, file);
  return new DatabaseUnusable(`${what} ${todo}`);
}

/**
 * Returns an error for the operator from an error of a KV Connect server.
 *
 * @param address the value of `CFBE_KV`, or undefined for the database of Deno Deploy
 */
export function unusableServer(address: string | undefined, error: unknown): DatabaseUnusable {
  const message = messageOf(error);
  if (address === undefined) {
    return unusable(
      "of Deno Deploy",
      message,
      "Assign a KV database to the app's timelines, or set CFBE_KV.",
    );
  }
  if (/Missing DENO_KV_ACCESS_TOKEN/.test(message)) {
    return unusable(address, "it needs a token", "Set DENO_KV_ACCESS_TOKEN to the server's access token.");
  }
  if (/status 40[13]/.test(message)) {
    return unusable(address, "it rejected the token", "Correct DENO_KV_ACCESS_TOKEN.");
  }
  if (error instanceof Deno.errors.NotCapable) {
    return unusable(
      address,
      "Deno has no permission for it",
      `Allow it with --allow-net=${hostOf(address)}.`,
    );
  }
  if (/failed to connect|error sending request|timed out/.test(message)) {
    const cause = /(?<=error: )[^:]+(?= \(os error)|timed out/.exec(message)?.[0] ?? "no connection";
    return unusable(address, `it can't be reached (${cause})`, "Start the server, or correct CFBE_KV.");
  }
  return unusable(address, message, "Set CFBE_KV to the URL of a KV Connect server.");
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
  return URL.parse(address)?.host ?? address;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

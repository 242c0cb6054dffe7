import { ClientError } from "../client/error.ts";
import type { Io } from "./io.ts";

/** Returns the text of a file, or of standard input for `-`. @throws {ClientError} if the file cannot be read */
export async function readText(io: Io, file: string): Promise<string> {
  if (file === "-") return await io.input();
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    throw new ClientError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

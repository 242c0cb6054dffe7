import { createHash } from "node:crypto";
import { VERSION } from "../../../shared/version.ts";
import { ASSETS, SHEETS } from "./asset_files.ts";

let stamp: string | undefined;

/**
 * Returns a short hash of the version and of the admin's scripts and styles. A page that was loaded with other ones must
 * not show parts of a page with this stamp.
 */
export function assetStamp(): string {
  return stamp ??= computeStamp();
}

function computeStamp(): string {
  const scripts = [...Deno.readDirSync(ASSETS)].map(({ name }) => name).toSorted();
  const files = [...SHEETS, ...scripts.map((name) => new URL(name, ASSETS))];
  const hash = createHash("sha256").update(VERSION);
  for (const url of files) hash.update(Deno.readFileSync(url));
  return hash.digest("base64url").slice(0, 12);
}

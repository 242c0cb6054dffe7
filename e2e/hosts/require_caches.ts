/**
 * Installs Varnish and nginx for `deno task test:hosts` with apt if it can, and otherwise ends with instructions and exit
 * code 69.
 */
import { findCommand } from "../process.ts";
import { nginx } from "./nginx.ts";
import { varnish } from "./varnish.ts";

async function findMissing(): Promise<string[]> {
  const missing: string[] = [];
  for (const { name, command } of [varnish, nginx]) {
    await findCommand(command).catch(() => missing.push(name));
  }
  return missing;
}

/** RUNLEVEL=1: installed, and not started as services. */
async function install(): Promise<void> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return;
  const env = { DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  for (
    const args of [["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "varnish", "nginx"]]
  ) {
    // Whether it helped shows in what is still missing.
    await new Deno.Command("apt-get", { args, env, stdout: "null" }).output().catch(() => {});
  }
}

let missing = await findMissing();
if (missing.length > 0) {
  await install();
  missing = await findMissing();
}
if (missing.length > 0) {
  console.error(
    `These tests need ${missing.join(" and ")}. Install them with your system's package manager, ` +
      "on Debian with `apt-get install --no-install-recommends varnish nginx`.",
  );
  Deno.exit(69);
}

/**
 * Installs what `deno task test:wordpress` needs. If that is not possible, it prints what to install and exits with
 * 69, so that a caller can distinguish missing packages from a failed test.
 */
import { findCommand } from "../process.ts";
import { WORDPRESS } from "./folders.ts";

/** EX_UNAVAILABLE in sysexits.h. */
const UNAVAILABLE = 69;

/** Debian packages, with checks that reject if the package is not installed. */
const PACKAGES: [name: string, check: () => Promise<unknown>][] = [
  ["php-cli", () => findCommand("php")],
  ["php-mysql", () => requireExtension("mysqli")],
  ["mariadb-server-core", () => findCommand("mariadbd")],
  ["nginx", () => findCommand("nginx")],
  ["wordpress", () => Deno.stat(`${WORDPRESS}/wp-settings.php`)],
  ["wordpress-theme-twentytwentythree", () => Deno.stat(`${WORDPRESS}/wp-content/themes/twentytwentythree`)],
];

async function requireExtension(extension: string): Promise<void> {
  const { stdout } = await new Deno.Command("php", { args: ["-m"] }).output();
  if (!new TextDecoder().decode(stdout).split("\n").includes(extension)) throw new Error(extension);
}

async function missingPackages(): Promise<string[]> {
  const found: string[] = [];
  for (const [name, check] of PACKAGES) await check().catch(() => found.push(name));
  return found;
}

/** Installs Debian packages, without starting their services: the tests start the servers they need. */
async function install(packages: string[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  // Without a network, fail quickly.
  const timeouts = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"];
  const steps = [["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", ...packages]];
  for (const step of steps) {
    const args = [...timeouts, ...step];
    await new Deno.Command("apt-get", { args, env, stdout: "null", stderr: "inherit" }).output().catch(
      () => {},
    );
  }
}

let missing = await missingPackages();
if (missing.length > 0 && Deno.build.os === "linux" && Deno.uid() === 0) {
  console.log(`Installing ${missing.join(" ")}`);
  await install(missing);
  missing = await missingPackages();
}
if (missing.length > 0) {
  console.error(
    `These tests need the Debian packages ${missing.join(" ")}. ` +
      `Install them with \`apt-get install --no-install-recommends ${missing.join(" ")}\`.`,
  );
  Deno.exit(UNAVAILABLE);
}

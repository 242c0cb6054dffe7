/**
 * Makes sure that `deno task test:wordpress` has what it needs, and says what to install if it can't. It then exits
 * with 69, so that a caller can tell a machine without the packages from a failure.
 */
import { find } from "../hosts/cache.ts";
import { WORDPRESS } from "./folders.ts";

/** EX_UNAVAILABLE of sysexits.h. */
const UNAVAILABLE = 69;

/** What a Debian calls it, and what shows that it is there. */
const NEEDED: [name: string, there: () => Promise<unknown>][] = [
  ["php-cli", () => find("php")],
  ["php-mysql", () => phpHas("mysqli")],
  ["mariadb-server-core", () => find("mariadbd")],
  ["nginx", () => find("nginx")],
  ["wordpress", () => Deno.stat(`${WORDPRESS}/wp-settings.php`)],
  ["wordpress-theme-twentytwentythree", () => Deno.stat(`${WORDPRESS}/wp-content/themes/twentytwentythree`)],
];

async function phpHas(extension: string): Promise<void> {
  const { stdout } = await new Deno.Command("php", { args: ["-m"] }).output();
  if (!new TextDecoder().decode(stdout).split("\n").includes(extension)) throw new Error(extension);
}

async function missing(): Promise<string[]> {
  const found: string[] = [];
  for (const [name, there] of NEEDED) await there().catch(() => found.push(name));
  return found;
}

/** Nothing is started as a service: the tests start what they need, in folders of their own. */
async function install(packages: string[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  // Where there is no network, nobody waits minutes to learn that.
  const patience = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"];
  const steps = [["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", ...packages]];
  for (const step of steps) {
    const args = [...patience, ...step];
    await new Deno.Command("apt-get", { args, env, stdout: "null", stderr: "inherit" }).output().catch(
      () => {},
    );
  }
}

let missingSettings = await missing();
if (missingSettings.length > 0 && Deno.build.os === "linux" && Deno.uid() === 0) {
  console.log(`Installing ${missingSettings.join(" ")}`);
  await install(missingSettings);
  missingSettings = await missing();
}
if (missingSettings.length > 0) {
  console.error(
    `These tests need, by their names on Debian: ${missingSettings.join(" ")}. ` +
      `Install them by \`apt-get install --no-install-recommends ${missingSettings.join(" ")}\`.`,
  );
  Deno.exit(UNAVAILABLE);
}

/**
 * `deno task chromium`: installs the Chromium and the headless shell that the browser tests use, if they are missing,
 * or prints how to install Chromium. Without the headless shell the tests still run, but take longer.
 */
import type { Browser } from "playwright-core";
import { findHeadlessShell, launchAlone, launchFull } from "./browser.ts";

const PLAYWRIGHT = "npm:playwright-core@1.65.1";

/** Installs both of Playwright's builds, with the system libraries if this process can install them. */
async function fromPlaywright(): Promise<void> {
  const libraries = Deno.build.os === "linux" && Deno.uid() === 0 ? ["--with-deps"] : [];
  await run(Deno.execPath(), ["run", "-A", PLAYWRIGHT, "install", ...libraries, "chromium"]);
}

/** Installs the packages of Debian and its derivatives. Not all of these have the second one. */
async function fromDebian(): Promise<void> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return;
  await run("apt-get", ["update", "-qq"]);
  for (const name of ["chromium", "chromium-headless-shell"]) {
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name]);
  }
}

/** Runs a command. Whether it helped shows in what starts afterwards. */
async function run(command: string, args: string[]): Promise<void> {
  console.log(`Chromium or its headless shell is missing: ${[command.split("/").at(-1), ...args].join(" ")}`);
  try {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await new Deno.Command(command, { args, env, stdout: "null", stderr: "null" }).output();
  } catch {
    // The command does not exist on this machine.
  }
}

async function starts(launch: () => Promise<Browser>): Promise<boolean> {
  try {
    await (await launch()).close();
    return true;
  } catch {
    return false;
  }
}

function fail(): never {
  console.error(
    "The browser tests need Chromium, which could not be installed. Install your system's package `chromium`, " +
      "or set CFBE_CHROMIUM to the path of a Chromium.",
  );
  Deno.exit(1);
}

const allStart = async () => (await Promise.all([starts(launchFull), starts(launchAlone)])).every(Boolean);
const nothingIsMissing = async () => findHeadlessShell() !== undefined && await allStart();

if (!await nothingIsMissing()) {
  await fromPlaywright();
  if (!await nothingIsMissing()) await fromDebian();
  if (!await allStart()) fail();
}

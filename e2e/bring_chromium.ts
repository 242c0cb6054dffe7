/** `deno task chromium`: installs Chromium for the browser tests if it is missing, or prints how to install it. */
import { findChromium, launchAlone } from "./browser.ts";

const PLAYWRIGHT = "npm:playwright-core@1.65.1";

/** Installs Playwright's build, with the system libraries if this process can install them. */
async function fromPlaywright(): Promise<boolean> {
  const libraries = Deno.build.os === "linux" && Deno.uid() === 0 ? ["--with-deps"] : [];
  return await run(Deno.execPath(), [
    "run",
    "-A",
    PLAYWRIGHT,
    "install",
    ...libraries,
    "chromium",
  ]) &&
    await starts();
}

/** Installs the package of Debian and its derivatives. */
async function fromDebian(): Promise<boolean> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  return await run("apt-get", ["update", "-qq"]) &&
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"]) && await starts();
}

async function run(command: string, args: string[]): Promise<boolean> {
  console.log(`Chromium is missing: ${[command.split("/").at(-1), ...args].join(" ")}`);
  try {
    const { success } = await new Deno.Command(command, {
      args,
      env: { DEBIAN_FRONTEND: "noninteractive" },
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  } catch {
    return false;
  }
}

async function starts(): Promise<boolean> {
  if (!findChromium()) return false;
  try {
    const browser = await launchAlone();
    await browser.close();
    return true;
  } catch {
    return false;
  }
}

if (!(await starts() || await fromPlaywright() || await fromDebian())) {
  console.error(
    "The browser tests need Chromium, which could not be installed. Install your system's package `chromium`, " +
      "or set CFBE_CHROMIUM to the path of a Chromium.",
  );
  Deno.exit(1);
}

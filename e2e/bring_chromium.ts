/** `deno task chromium`: makes sure that the browser tests have a browser, and says what to install if they can't. */
import { findChromium, launchAlone } from "./browser.ts";

const PLAYWRIGHT = "npm:playwright-core@1.65.1";

/** Playwright's own; with the system libraries it needs where we may install them. */
async function fromPlaywright(): Promise<boolean> {
  const libraries = Deno.build.os === "linux" && Deno.uid() === 0 ? ["--with-deps"] : [];
  return await run(Deno.execPath(), [
    "run",
    "-A",
    PLAYWRIGHT,
    "install",
    ...libraries,
    "--only-shell",
    "chromium",
  ]) &&
    await starts();
}

/** Debian's package, and that of its relatives. */
async function fromDebian(): Promise<boolean> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  return await run("apt-get", ["update", "-qq"]) &&
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"]) && await starts();
}

async function run(command: string, args: string[]): Promise<boolean> {
  console.log(`No Chromium yet: ${[command.split("/").at(-1), ...args].join(" ")}`);
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
    "The browser tests need Chromium and none could be installed: install your system's package `chromium`, " +
      "or set CFBE_CHROMIUM to the path of one.",
  );
  Deno.exit(1);
}

/** Debian packages that a suite of tests needs. */

/** EX_UNAVAILABLE in sysexits.h: the suite can't run on this machine, which is not a failed test. */
export const UNAVAILABLE = 69;

/** A package's name, with a check that rejects if the package is not installed. */
export type Package = readonly [name: string, check: () => Promise<unknown>];

/** Installs packages, without starting their services: the tests start the servers they need. */
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

/** Installs the packages that are missing. If that is not possible, it prints what to install and exits with 69. */
export async function bringPackages(packages: readonly Package[]): Promise<void> {
  const findMissing = async () => {
    const checked = await Promise.allSettled(packages.map(([, check]) => check()));
    return packages.flatMap(([name], i) => checked[i]!.status === "rejected" ? [name] : []);
  };
  let missing = await findMissing();
  if (missing.length > 0 && Deno.build.os === "linux" && Deno.uid() === 0) {
    console.log(`Installing ${missing.join(" ")}`);
    await install(missing);
    missing = await findMissing();
  }
  if (missing.length > 0) {
    console.error(
      `These tests need the Debian packages ${missing.join(" ")}. ` +
        `Install them with \`apt-get install --no-install-recommends ${missing.join(" ")}\`.`,
    );
    Deno.exit(UNAVAILABLE);
  }
}

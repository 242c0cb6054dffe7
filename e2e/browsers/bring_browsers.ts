/** Installs the browsers of `deno task test:browsers`. If that is not possible, it prints what to install and exits with 69. */
import { brotliDecompressSync } from "node:zlib";
import { bringPackages, UNAVAILABLE } from "../debian_packages.ts";
import { FOLDER, PACKAGE, PACKED, PROGRAM } from "./oldest_chromium.ts";
import { PACKAGES } from "./other_browsers.ts";

const exists = (file: string) => Deno.stat(file).then(() => true, () => false);

await bringPackages(PACKAGES);
if (!await exists(PROGRAM)) {
  await Deno.mkdir(FOLDER, { recursive: true });
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", FOLDER, PACKAGE];
  console.log(`Installing ${PROGRAM}: npm ${args.join(" ")}`);
  await new Deno.Command("npm", { args, stdin: "null" }).spawn().status.catch(() => {});
  if (!await exists(PACKED)) {
    console.error(`These tests need ${PACKAGE}. Install npm, so that it can be installed.`);
    Deno.exit(UNAVAILABLE);
  }
  // Renamed at the end, so that an interrupted run leaves no half a program.
  await Deno.writeFile(`${PROGRAM}.new`, brotliDecompressSync(await Deno.readFile(PACKED)), { mode: 0o755 });
  await Deno.rename(`${PROGRAM}.new`, PROGRAM);
}
const { success, stderr } = await new Deno.Command(PROGRAM, {
  args: ["--no-sandbox", "--version"],
  stdout: "null",
}).output();
if (!success) {
  console.error(`${PROGRAM} does not start on this machine: ${new TextDecoder().decode(stderr)}`);
  Deno.exit(UNAVAILABLE);
}

/**
 * Makes sure that `deno task test:deploy` has what it needs, and says what to install if it can't: then it exits with 69,
 * the "service unavailable" of sysexits.
 */
import { NEEDED, TOOLS } from "./tools.ts";

const UNAVAILABLE = 69;

const isThere = (file: string) => Deno.stat(file).then(() => true, () => false);

await Deno.mkdir(TOOLS, { recursive: true });
for (const { file, command: [program, ...args], needs } of NEEDED) {
  if (await isThere(file)) continue;
  console.log(`Installing ${file}: ${program} ${args.join(" ")}`);
  await new Deno.Command(program, { args, stdin: "null" }).spawn().status.catch(() => {});
  if (await isThere(file)) continue;
  console.error(`These tests need ${file}, which is installed by ${program}: install ${needs}.`);
  Deno.exit(UNAVAILABLE);
}

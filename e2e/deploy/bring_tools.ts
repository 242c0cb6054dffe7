/** Installs what `deno task test:deploy` needs. If that is not possible, it prints what to install and exits with 69. */
import { UNAVAILABLE } from "../debian_packages.ts";
import { TOOLS } from "../tools_folder.ts";
import { NEEDED } from "./tools.ts";

const exists = (file: string) => Deno.stat(file).then(() => true, () => false);

await Deno.mkdir(TOOLS, { recursive: true });
for (const { file, command: [program, ...args], needs } of NEEDED) {
  if (await exists(file)) continue;
  console.log(`Installing ${file}: ${program} ${args.join(" ")}`);
  await new Deno.Command(program, { args, stdin: "null" }).spawn().status.catch(() => {});
  if (await exists(file)) continue;
  console.error(`These tests need ${file}. Install ${needs}, so that ${program} can install it.`);
  Deno.exit(UNAVAILABLE);
}

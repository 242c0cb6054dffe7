/** Entry point of the command line, `deno task cfbe`. */
import { systemIo } from "./terminal/io.ts";
import { run } from "./run.ts";

Deno.exit(await run(Deno.args, systemIo()));

/** `deno task cfbe`: the command line. */
import { systemIo } from "./io.ts";
import { run } from "./run.ts";

Deno.exit(await run(Deno.args, systemIo()));

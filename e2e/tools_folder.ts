import { join } from "node:path";

const HOME = Deno.env.get("HOME") ?? Deno.cwd();

/** Where suites install their tools. Kept between runs, because some take minutes. */
export const TOOLS = join(Deno.env.get("XDG_CACHE_HOME") || join(HOME, ".cache"), "cfbe-test-tools");

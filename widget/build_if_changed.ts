/** Builds the widget, unless `widget/dist` was built from the current sources. Vite takes seconds, the check does not. */
import { isUpToDate } from "./build_stamp.ts";

const ROOT = new URL("..", import.meta.url).pathname.replace(/\/$/, "");

if (!await isUpToDate(ROOT)) {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "build", "--logLevel", "warn"],
    cwd: ROOT,
  }).spawn().status;
  Deno.exit(code);
}

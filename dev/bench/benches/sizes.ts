import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { Bench } from "../bench.ts";

/** Sizes of the built widget as visitors load it: Brotli at its highest quality, like the server's. */
export const sizes: Bench = {
  rounds: 1,
  async open({ folder }) {
    const dist = join(folder, "widget/dist");
    const files = new Map<string, string>([["loader", join(dist, "cfbe.js")]]);
    for await (const { name } of Deno.readDir(join(dist, "cfbe"))) {
      files.set(name.split("-")[0]!, join(dist, "cfbe", name));
    }
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    /** NaN for a part that this version of the widget does not have. */
    const size = async (name: string) => {
      const file = files.get(name);
      return file ? brotliCompressSync(await Deno.readFile(file), { params }).length : NaN;
    };
    return {
      async measure() {
        const loader = await size("loader");
        return {
          "sizes.loader": loader,
          "sizes.own": loader + await size("own"),
          "sizes.form": loader + await size("form"),
          "sizes.popup": await size("popup"),
        };
      },
      async [Symbol.asyncDispose]() {},
    };
  },
};

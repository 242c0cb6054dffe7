import type { Context } from "hono";

/** Packed by `deno task wordpress`, which installations for production and `deno task start` run. */
const PLUGIN = new URL("../../../bridge/wordpress/dist/cfbe.zip", import.meta.url);

/**
 * `GET {base_url}/admin/wordpress/cfbe.zip`: the WordPress plugin of this version. Requires `downloadAccess` before it.
 *
 * @param file the packed plugin
 */
export function pluginDownload(file: URL | string = PLUGIN) {
  return async (c: Context): Promise<Response> => {
    const zip = await Deno.readFile(file).catch((error) => {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    });
    if (!zip) {
      return c.text(
        "This installation has no packed plugin. Run `deno task wordpress` where it is built.",
        404,
      );
    }
    return c.body(zip, 200, {
      "Content-Type": "application/zip",
      "Content-Disposition": 'attachment; filename="cfbe.zip"',
    });
  };
}

import type { Context } from "hono";
import { imagePath } from "../../../shared/design/image_id.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { imageId } from "../../settings/schema/design_schema.ts";
import { readImage } from "./rows.ts";

const CACHE = "public, max-age=31536000, immutable";

/** Path of the images, for the router. */
export const IMAGE_PATH = imagePath(":file").replace(".webp", "");

/** Handles `GET {base_url}/cfbe-image/ID.webp`: an image of a form's design, whose content never changes. */
export function imageRoute({ kv }: { kv: Kv }) {
  return async (c: Context): Promise<Response> => {
    const id = imageId.safeParse(c.req.param("file")?.replace(/\.webp$/, "")).data;
    const bytes = id === undefined ? undefined : await readImage(kv, id);
    if (!bytes) {
      c.header("Cache-Control", "no-store");
      return c.notFound();
    }
    return c.body(bytes, 200, {
      "Content-Type": "image/webp",
      "Cache-Control": CACHE,
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    });
  };
}

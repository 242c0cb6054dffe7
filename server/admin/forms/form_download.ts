import type { Context } from "hono";
import { exportedForm } from "../../forms/images/form_images.ts";
import type { AdminServices } from "../frame/services.ts";

/** `GET {base_url}/admin/forms/NAME.json`: a form as a document to import. Requires `downloadAccess` before it. */
export function formDownload({ kv, settings }: AdminServices) {
  return async (c: Context): Promise<Response> => {
    await settings.refresh();
    const file = c.req.param("file") ?? "";
    const document = file.endsWith(".json") && await exportedForm({ kv, settings }, file.slice(0, -5));
    if (!document) return c.text("There is no such form. It may have been removed.", 404);
    return c.body(JSON.stringify(document, null, 2) + "\n", 200, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="${file}"`,
    });
  };
}

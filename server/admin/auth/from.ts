import type { Context } from "hono";
import type { AdminServices } from "../services.ts";
import type { From } from "../../audit/audit.ts";
import { deviceOf } from "./device.ts";

/** Enough of a browser's id to tell one from another. */
const SHOWN = 8;

/** Returns where a request comes from, for the audit log. @param name of the user, if there is one */
export async function fromOf(app: AdminServices, c: Context, name?: string): Promise<From> {
  const kept = app.admin.cookies.device(c);
  const device = name === undefined ? undefined : deviceOf(app.keyring, name, kept);
  return { ip: await app.clientIp(c), device: device?.slice(0, SHOWN) };
}

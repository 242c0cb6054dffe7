import type { Context } from "hono";
import type { AdminServices } from "../services.ts";
import type { From } from "../../audit/audit.ts";
import { deviceOf } from "./device.ts";

/** Enough characters of a browser's ID to tell two apart. */
const ID_CHARACTERS = 8;

/** Returns the IP and the known browser of a request, for the audit log. @param name of the user, if known */
export async function originOf(app: AdminServices, c: Context, name?: string): Promise<From> {
  const kept = app.admin.cookies.device(c);
  const device = name === undefined ? undefined : deviceOf(app.keyring, name, kept);
  return { ip: await app.clientIp(c), device: device?.slice(0, ID_CHARACTERS) };
}

import type { Context } from "hono";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { ClientIp } from "../../platform/http/visitor/client_ip.ts";
import type { Admin } from "./admin.ts";
import type { From } from "../../platform/audit/audit.ts";
import { browserName } from "./browser_name.ts";
import { deviceOf } from "./device.ts";
import { networkOf } from "../../platform/http/visitor/network.ts";
import type { SessionClient } from "./session.ts";

/** Enough characters of a browser's ID to tell two apart. */
const ID_CHARACTERS = 8;

/** Returns the IP and the known browser of a request, for the audit log. @param name of the user, if known */
export async function originOf(
  app: { admin: Pick<Admin, "cookies">; keyring: Keyring; clientIp: ClientIp },
  c: Context,
  name?: string,
): Promise<From> {
  const kept = app.admin.cookies.device(c);
  const device = name === undefined ? undefined : deviceOf(app.keyring, name, kept);
  return { ip: await app.clientIp(c), device: device?.slice(0, ID_CHARACTERS) };
}

/** Returns the browser and the network of a request that opens a session. */
export async function sessionClient(app: { clientIp: ClientIp }, c: Context): Promise<SessionClient> {
  return {
    browser: browserName(c.req.header("user-agent") ?? ""),
    network: networkOf(await app.clientIp(c)),
  };
}

import { type AdminHarness, PASSWORD } from "../../../../dev/testing/admin_harness.ts";

/** Submits a form of the admin without a session. */
export function post(
  app: AdminHarness,
  path: string,
  fields: Record<string, string>,
  peer?: string,
  more: Record<string, string> = {},
) {
  const headers = { origin: new URL(app.services.config.baseUrl).origin, ...more };
  return app.fetch(path, { method: "POST", headers, body: new URLSearchParams(fields) }, peer);
}

/** Submits the sign-in form, by default with the admin's name and password. */
export const logIn = (app: AdminHarness, fields: Record<string, string> = {}, peer?: string, more = {}) =>
  post(app, "/admin/login", { name: "the-admin", password: PASSWORD, ...fields }, peer, more);

/** Returns the cookie of a known browser. */
export const deviceOf = (response: Response) =>
  response.headers.getSetCookie().find((cookie) => cookie.startsWith("cfbe_device="))!.split(";")[0]!;

/** Returns the session cookie of a sign-in. */
export const cookieOf = (response: Response) => response.headers.get("set-cookie")?.split(";")[0] ?? "";

/** Returns whether a cookie opens a page of the admin. */
export async function opensAdmin(app: AdminHarness, cookie: string): Promise<boolean> {
  const response = await app.fetch("/admin/general", { headers: { cookie } });
  await response.body?.cancel();
  return response.status === 200;
}

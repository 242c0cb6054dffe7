import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { scryptSync } from "node:crypto";
import { readRow } from "../../server/platform/kv/key.ts";
import { type Harness, harness } from "./harness.ts";
import type { Actor } from "../../server/admin/auth/actor.ts";
import { issueNonce } from "../../server/admin/auth/nonce.ts";
import type { Role } from "../../server/admin/auth/capability.ts";
import type { PasswordHash } from "../../server/admin/auth/password.ts";
import { usersKey } from "../../server/admin/auth/users.ts";

export const PASSWORD = "a password of the tests";

/** Returns a cheap hash of the password, because tests sign in often. */
function cheapHash(): PasswordHash {
  const cost = { N: 16, r: 8, p: 1 };
  const hash = scryptSync(PASSWORD, "salt", 32, cost).toString("base64url");
  return { kind: "scrypt", ...cost, salt: Buffer.from("salt").toString("base64url"), hash };
}

/** A harness in which users can sign in. */
export interface AdminHarness extends Harness {
  /** Opens a session for a user with this role, who is created if needed. */
  signIn(role?: Role): Promise<SignedIn>;
}

export interface SignedIn {
  actor: Actor & { kind: "user" };
  /** The `Cookie` header of the session. */
  cookie: string;
  nonce(action: string): string;
  /** Returns where an action is sent, by default with a valid nonce. */
  actionUrl(
    action: string,
    options?: { path?: "/ajax" | "/upload" | "/preview"; nonce?: string | undefined },
  ): string;
  page(path: string): Promise<{ status: number; html: string; headers: Headers }>;
  /** Submits a page's search form, and follows the redirect. */
  search(
    page: string,
    fields: Record<string, string>,
  ): Promise<{ status: number; html: string; path: string }>;
  /**
   * Submits a plain form to `/admin/ajax`, by default with a valid nonce; `_nonce` is another one, `_check_only` as in
   * the form of a user who may not run the action.
   */
  send(action: string, fields?: Record<string, string>, headers?: HeadersInit): Promise<Response>;
}

export async function adminHarness(options: Parameters<typeof harness>[0] = {}): Promise<AdminHarness> {
  const app = await harness({
    ...options,
    env: { CFBE_BASE_URL: "http://localhost:8000", CFBE_API_TOKEN: "the-api-token-of-tests", ...options.env },
  });
  const { admin, keyring, clock } = app.services;
  return Object.assign(app, {
    async signIn(role: Role = "admin"): Promise<SignedIn> {
      const name = `the-${role}`;
      const row = await readRow(app.kv, usersKey()) ?? { v: 1, users: {} };
      // A viewer can exist only beside an admin.
      for (const each of new Set(["admin", role] as const)) {
        row.users[`the-${each}`] ??= { role: each, password: cheapHash(), createdAt: clock.now() };
      }
      await app.kv.set(usersKey(), row);
      const user = (await admin.users.find(name))!;
      const secret = await admin.sessions.open(user);
      const session = (await admin.sessions.find(secret))!;
      const cookie = `cfbe=${secret}`;
      const actionUrl: SignedIn["actionUrl"] = (action, { path = "/ajax", nonce: given } = {}) =>
        `/admin${path}?${new URLSearchParams({ action, _nonce: given ?? nonce(action) })}`;
      const nonce = (action: string) => issueNonce(keyring, session, action, clock.now());
      const page: SignedIn["page"] = async (path) => {
        const response = await app.fetch(`/admin${path}`, { headers: { cookie } });
        return { status: response.status, html: await response.text(), headers: response.headers };
      };
      return {
        actor: { kind: "user", name, role, session },
        cookie,
        nonce,
        page,
        async search(of, fields) {
          const sent = await app.fetch(`/admin${of}`, {
            method: "POST",
            headers: { cookie, origin: "http://localhost:8000" },
            body: new URLSearchParams(fields),
          });
          await sent.body?.cancel();
          assert.equal(sent.status, 303);
          const path = sent.headers.get("location")!.replace(/^\/admin/, "");
          const { status, html } = await page(path);
          return { status, html, path };
        },
        actionUrl,
        send: (action, { _nonce, _check_only, ...fields } = {}, headers = {}) =>
          app.fetch(actionUrl(action, { nonce: _nonce }) + (_check_only ? "&_check_only=1" : ""), {
            method: "POST",
            headers: { cookie, ...headers },
            body: new URLSearchParams({ action, ...fields }),
          }),
      };
    },
  });
}

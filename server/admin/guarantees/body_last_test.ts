import assert from "node:assert/strict";
import type { Role } from "../auth/capability.ts";
import { adminRoutes } from "../routes.ts";
import { type AdminHarness, adminHarness, type SignedIn } from "../../../dev/testing/admin_harness.ts";

const ORIGIN = "http://localhost:8000";
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=x";

interface Route {
  /** An example of the path, with a valid nonce if the route has one. */
  url(user: SignedIn, nonce?: string): string;
  /** Whether it needs a session, and a role that may not use it. None if every role may. */
  session: boolean;
  lacks?: Role;
  /** Whether a nonce is in its URL. Routes without one require the site's own `Origin`. */
  nonce: boolean;
}

const action = (path: "/ajax" | "/upload" | "/preview", name: string): Route => ({
  url: (user, nonce) => user.actionUrl(name, { path, nonce }),
  session: true,
  lacks: "analyst",
  nonce: true,
});
const withoutSession = (path: string): Route => ({
  url: () => `/admin${path}`,
  session: false,
  nonce: false,
});

/** Every route of the admin that reads a body. */
const ROUTES: Record<string, Route> = {
  "/ajax": action("/ajax", "cfbe_edit_form"),
  "/upload": action("/upload", "cfbe_save_form_image"),
  "/preview": action("/preview", "cfbe_edit_form"),
  "/login": withoutSession("/login"),
  "/login/code": withoutSession("/login/code"),
  "/login/passkey": withoutSession("/login/passkey"),
  "/set-up": withoutSession("/set-up"),
  "/invitation": withoutSession("/invitation"),
  "/new-password": withoutSession("/new-password"),
  "/subscribers/:file": {
    url: () => "/admin/subscribers/subscribers.csv",
    session: true,
    lacks: "viewer",
    nonce: false,
  },
  "/audit/audit.csv": { url: () => "/admin/audit/audit.csv", session: true, lacks: "analyst", nonce: false },
  "/:page": { url: () => "/admin/subscribers", session: true, lacks: "analyst", nonce: false },
};

/** Sends a request whose body counts how often it was read. */
async function send(app: AdminHarness, url: string, headers: Record<string, string>) {
  let reads = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (reads++ > 0) return controller.close();
      controller.enqueue(new TextEncoder().encode("a=b"));
    },
  }, { highWaterMark: 0 });
  const response = await app.fetch(url, {
    method: "POST",
    headers: { "content-type": FORM, ...headers },
    body,
  });
  await response.body?.cancel();
  return { status: response.status, reads };
}

Deno.test("no route of the admin reads a body before it has refused a request for its origin, session, nonce or capability", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const found = adminRoutes(app.services).routes
    .filter(({ method, path }) => method !== "GET" && !(method === "ALL" && path.endsWith("*")));
  assert.deepEqual(
    new Set(found.map(({ method, path }) => `${method} ${path}`)),
    new Set(
      Object.keys(ROUTES).map((path) => `POST ${path}`),
    ),
  );
  for (const [path, { url, session, lacks, nonce }] of Object.entries(ROUTES)) {
    const own: Record<string, string> = { cookie: admin.cookie, ...(!nonce && { origin: ORIGIN }) };
    assert.ok((await send(app, url(admin), own)).reads > 0, `${path} reads the body of a valid request`);
    const refused = async (what: string, to: string, headers: Record<string, string>, statuses: number[]) => {
      const { status, reads } = await send(app, to, headers);
      assert.ok(statuses.includes(status), `${path}, ${what}: ${status}`);
      assert.equal(reads, 0, `${path}, ${what}`);
    };
    for (const origin of ["https://evil.example", "null", "http://localhost:8001"]) {
      await refused(`origin ${origin}`, url(admin), { ...own, origin }, [403]);
    }
    const { cookie } = own;
    if (nonce) {
      const forged = ["", "forged", admin.nonce("cfbe_other")];
      for (const each of forged) await refused(`nonce ${each}`, url(admin, each), own, [403]);
      await refused("another site", url(admin), { cookie: cookie!, "sec-fetch-site": "cross-site" }, [403]);
    } else await refused("no origin", url(admin), { cookie: cookie! }, [403]);
    if (session) {
      const { cookie: _, ...signedOut } = own;
      await refused("no session", url(admin), signedOut, [401]);
      await refused("a wrong session", url(admin), { ...own, cookie: "cfbe=made-up" }, [401]);
    }
    if (lacks) {
      const user = await app.signIn(lacks);
      await refused(`as ${lacks}`, url(user), { ...own, cookie: user.cookie }, [403]);
    }
  }
});

Deno.test("no one but a client with the API token can name an action in the body", async () => {
  await using app = await adminHarness();
  const { cookie, nonce } = await app.signIn();
  const body = new URLSearchParams({ action: "cfbe_deactivate", _nonce: nonce("cfbe_deactivate") });
  const response = await app.fetch("/admin/ajax", { method: "POST", headers: { cookie }, body });
  await response.body?.cancel();
  assert.equal(response.status, 403);
  const viewer = await app.signIn("viewer");
  const other = await viewer.send("cfbe_change_password", { action: "cfbe_deactivate" });
  await other.body?.cancel();
  assert.equal(other.status, 422, "the action of the URL, whose input is missing");
  const { rows } = await app.services.admin.audit.list();
  assert.deepEqual(rows.filter(({ action }) => action === "cfbe_deactivate"), []);
});

Deno.test("a form with more parts or fields than any form of the admin is refused before it is parsed", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const part = `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n`;
  const upload = admin.actionUrl("cfbe_save_form_image", { path: "/upload" });
  for (
    const [url, type, body] of [
      [upload, MULTIPART, part.repeat(160_000) + "--x--"],
      [upload, `multipart/form-data; boundary="x"`, part.repeat(102) + "--x--"],
      [upload, "multipart/form-data", part],
      [upload, FORM, "a&".repeat(1_000_000)],
      [admin.actionUrl("cfbe_edit_form"), FORM, "a=b&".repeat(6_000)],
      [admin.actionUrl("cfbe_edit_form", { path: "/preview" }), FORM, "&".repeat(500_000)],
    ] as const
  ) {
    const headers = { cookie: admin.cookie, "content-type": type };
    const response = await app.fetch(url, { method: "POST", headers, body });
    await response.body?.cancel();
    assert.equal(response.status, 413, `${type} ${body.length}`);
  }
});

Deno.test("a user uploads one file at a time, and others are not affected", async () => {
  await using app = await adminHarness();
  const [admin, marketer] = [await app.signIn(), await app.signIn("marketer")];
  const action = "cfbe_import_form";
  const { promise: arrived, resolve: finish } = Promise.withResolvers<void>();
  const { promise: isRead, resolve: startRead } = Promise.withResolvers<void>();
  const slow = new ReadableStream<Uint8Array>({
    async pull(controller) {
      startRead();
      await arrived;
      controller.close();
    },
  }, { highWaterMark: 0 });
  const upload = async (user: SignedIn, body: BodyInit) => {
    const headers = { cookie: user.cookie, "content-type": MULTIPART, accept: "application/json" };
    const url = user.actionUrl(action, { path: "/upload" });
    const response = await app.fetch(url, { method: "POST", headers, body });
    const { code } = await response.json();
    return [response.status, code, response.headers.get("retry-after")];
  };
  const first = upload(admin, slow);
  await isRead;
  assert.deepEqual(await upload(marketer, "--x--"), [422, "invalid", null]);
  assert.deepEqual(await upload(admin, "--x--"), [429, "rate_limited", "1"]);
  finish();
  assert.equal((await first)[0], 422);
  assert.deepEqual(await upload(admin, "--x--"), [422, "invalid", null]);
});

Deno.test("a form of a page that was open for a day is shown again with its values, and one with a made-up nonce is not", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const old = admin.nonce("cfbe_save_general");
  for (let hours = 0; hours < 28; hours += 7) {
    await app.clock.advance(7 * 60 * 60 * 1000);
    await admin.page("/general");
  }
  const fields = { _page: "/general", "l:fields.origins": "https://typed.example" };
  const shown = async (_nonce: string) => {
    const response = await admin.send("cfbe_save_general", { ...fields, _nonce });
    return [response.status, (await response.text()).includes("https://typed.example")];
  };
  assert.deepEqual(await shown(old), [403, true]);
  assert.deepEqual(await shown(`${old}x`), [403, false]);
  assert.deepEqual(app.services.settings.current().general.origins, []);
});

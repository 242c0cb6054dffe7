/** Passkeys: adding, using and removing them, and what a hostile answer does. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Authenticator, type Lies } from "../../../dev/testing/authenticator.ts";
import {
  type AdminHarness,
  adminHarness,
  PASSWORD,
  type SignedIn,
} from "../../../dev/testing/admin_harness.ts";
import { cookieOf, deviceOf, opensAdmin, post } from "../accounts/testing/sign_in.ts";
import { runAction } from "../action_table.ts";
import { LOCAL } from "../auth/actor.ts";

const ORIGIN = "http://localhost:8000";
const IP = "192.0.2.7";
const MINUTE_MS = 60_000;

const unescaped = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** Returns what a page passes to `navigator.credentials`. */
function optionsIn<Options>(html: string, use: "create" | "get"): Options {
  const [button] = new RegExp(`<button[^>]*data-passkey="${use}"[^>]*>`).exec(html)!;
  return JSON.parse(unescaped(/data-options="([^"]+)"/.exec(button!)![1]!));
}

type CreationOptions = Parameters<Authenticator["create"]>[0];
type RequestOptions = Parameters<Authenticator["get"]>[0];

async function begin(user: SignedIn): Promise<CreationOptions> {
  const page = await (await user.send("cfbe_begin_passkey", { _page: "/account" })).text();
  return optionsIn(page, "create");
}

const add = (user: SignedIn, answer: string, title = "Laptop") =>
  user.send("cfbe_add_passkey", { title, answer, _page: "/account" });

/** Adds a passkey with the forms of the account page. */
async function added(user: SignedIn, authenticator = new Authenticator(ORIGIN)): Promise<Authenticator> {
  const answer = authenticator.create(await begin(user));
  const { status, body } = await add(user, answer);
  await body?.cancel();
  assert.equal(status, 303);
  return authenticator;
}

const options = async (app: AdminHarness): Promise<RequestOptions> =>
  await (await app.fetch("/admin/login/passkey")).json();

const enter = (app: AdminHarness, passkey: string, more = {}, ip = IP) =>
  post(app, "/admin/login/passkey", { passkey, next: "/forms" }, ip, more);

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}

const owned = async (app: AdminHarness, name = "the-admin") =>
  await app.services.admin.passkeys.of((await app.services.admin.users.find(name))!);

Deno.test("a passkey alone signs in, also past a second factor, and opens the page asked for", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const authenticator = await added(admin);
  const { secondFactors } = app.services.admin;
  await app.kv.set(["s", "main", "admin_second_factor", "the-admin"], {
    v: 1,
    seed: secondFactors.newSeed(),
    enabledAt: app.clock.now(),
    codes: [],
    used: [],
  });
  await app.clock.advance(MINUTE_MS);
  const opened = await enter(app, authenticator.get(await options(app)));
  assert.deepEqual([opened.status, opened.headers.get("location")], [303, "/admin/forms"]);
  assert.equal(await opensAdmin(app, cookieOf(opened)), true);
  assert.ok(deviceOf(opened));
  const [passkey] = await owned(app);
  assert.equal(passkey!.lastUsedAt, app.clock.now());
  const { rows } = await app.services.admin.audit.list();
  assert.deepEqual(rows.slice(0, 2).map(({ who, action, result }) => `${who} ${action} ${result}`), [
    "the-admin cfbe_sign_in done",
    "the-admin cfbe_use_passkey done",
  ]);
});

Deno.test("an answer that is not of this passkey, site, purpose and moment, or without verification, opens nothing", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const authenticator = await added(admin);
  const other = await added(await app.signIn("viewer"));
  const unknown = new Authenticator(ORIGIN);
  unknown.create(await begin(admin));
  const confirming = await app.services.admin.passkeys.optionsToConfirm(
    admin.actor.session.user,
    admin.actor.session.id,
  ) as RequestOptions;
  const lies: Record<string, Lies> = {
    "another origin": { origin: "https://evil.example" },
    "the origin with another port": { origin: "http://localhost:8001" },
    "another site in its data": { site: "evil.example" },
    "a challenge of its own": { challenge: Buffer.alloc(54).toString("base64url") },
    "a challenge for another purpose": { challenge: confirming.challenge },
    "an empty challenge": { challenge: "" },
    "the type of a creation": { type: "webauthn.create" },
    "nobody verified": { verified: false },
    "the signature of another passkey": { signedBy: other },
    "the handle of another user": { handle: Buffer.alloc(32).toString("base64url") },
    "flags that have changed": { synced: false },
    "a frame": { crossOrigin: true },
    "a page around it": { topOrigin: "https://evil.example" },
  };
  for (const [what, lie] of Object.entries(lies)) {
    assert.equal(await statusOf(enter(app, authenticator.get(await options(app), lie), {}, what)), 401, what);
  }
  const fresh = async () => JSON.parse(authenticator.get(await options(app)));
  const answers = {
    "no answer": "",
    "no JSON": "x",
    "a list": "[]",
    "an unknown passkey": unknown.get(await options(app)),
    "the ID of another user's passkey": JSON.stringify({ ...await fresh(), id: other.id, rawId: other.id }),
    "two IDs": JSON.stringify({ ...await fresh(), rawId: other.id }),
    "parts that are no text": JSON.stringify({ ...await fresh(), response: { clientDataJSON: {} } }),
    "a challenge as it was, with characters that decoding ignores": authenticator.get({
      ...await options(app),
      challenge: `${(await options(app)).challenge}=`,
    }),
    "much text": "x".repeat(13_000),
  };
  for (const [what, answer] of Object.entries(answers)) {
    const response = await enter(app, answer, {}, what);
    assert.equal(response.status, 401, what);
    assert.match(await response.text(), /This passkey did not sign you in/);
  }
  assert.equal(await statusOf(enter(app, authenticator.get(await options(app)))), 303);
});

Deno.test("an answer signs in once, also at the same moment, and only within five minutes", async () => {
  await using app = await adminHarness();
  const authenticator = await added(await app.signIn());
  const answer = authenticator.get(await options(app));
  const both = await Promise.all([answer, answer].map((each) => statusOf(enter(app, each))));
  assert.deepEqual(both.toSorted(), [303, 401]);
  assert.equal(await statusOf(enter(app, answer)), 401, "a replay");
  const late = authenticator.get(await options(app));
  await app.clock.advance(5 * MINUTE_MS);
  assert.equal(await statusOf(enter(app, late)), 401);
});

Deno.test("an authenticator that counts must count on, so that a copy of it is noticed", async () => {
  await using app = await adminHarness();
  const authenticator = await added(await app.signIn());
  const status = async (counter: number) =>
    await statusOf(enter(app, authenticator.get(await options(app), { counter })));
  assert.deepEqual(
    [await status(5), await status(5), await status(4), await status(0), await status(6)],
    [303, 401, 401, 401, 303],
  );
});

Deno.test("a passkey opens nothing once it, its user, or the public URL's host is another", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const viewer = await app.signIn("viewer");
  const removed = await added(viewer);
  const ofRemoved = await added(viewer, new Authenticator(ORIGIN));
  const elsewhere = await app.signIn("viewer");
  const { users } = app.services.admin;
  const [newest, first] = await owned(app, "the-viewer");
  assert.equal(
    await statusOf(viewer.send("cfbe_remove_passkey", { passkey: first!.id, _page: "/account" })),
    303,
  );
  assert.equal(await opensAdmin(app, elsewhere.cookie), false, "whoever has the device may be signed in");
  assert.equal(await statusOf(enter(app, removed.get(await options(app)))), 401);
  assert.equal((await owned(app, "the-viewer"))[0]!.id, newest!.id);
  await users.remove("the-viewer");
  assert.equal(await statusOf(enter(app, ofRemoved.get(await options(app)))), 401);
  await users.add({ name: "the-viewer", role: "viewer", password: PASSWORD });
  assert.equal(
    await statusOf(enter(app, ofRemoved.get(await options(app)))),
    401,
    "another user of the name",
  );

  const own = await added(admin);
  const row =
    (await app.kv.get<{ passkeys: { site: string }[] }>(["s", "main", "admin_passkeys", "the-admin"]))
      .value!;
  row.passkeys[0]!.site = "old.example";
  await app.kv.set(["s", "main", "admin_passkeys", "the-admin"], row);
  assert.equal(await statusOf(enter(app, own.get(await options(app)))), 401);
  assert.match((await admin.page("/account")).html, /only for old\.example/);
});

Deno.test("a user of the database does not get into the account of CFBE_ADMIN_PASSWORD with a passkey", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const authenticator = await added(admin);
  const { passkeys } = app.services.admin;
  const answer = authenticator.get(passkeys.optionsToSignIn() as RequestOptions);
  const fixed = { name: "the-admin", fixed: true };
  assert.equal(await passkeys.use({ kind: "sign-in" }, answer, () => Promise.resolve(fixed)), undefined);
  assert.deepEqual(await passkeys.of(fixed), []);
});

Deno.test("what comes before signing in is the same whether users have passkeys or not", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const [page, before] = [async () => await (await app.fetch("/admin/login")).text(), await options(app)];
  const pageBefore = await page();
  await added(admin);
  assert.equal(await page(), pageBefore);
  assert.deepEqual({ ...await options(app), challenge: "" }, { ...before, challenge: "" });
});

Deno.test("wrong passkeys are limited per IP and share one audit entry, and keep nobody with a right one out", async () => {
  await using app = await adminHarness();
  const authenticator = await added(await app.signIn());
  for (const _ of Array(10)) assert.equal(await statusOf(enter(app, "x")), 401);
  const limited = await enter(app, "x");
  assert.equal(limited.status, 429);
  assert.match(await limited.text(), /Too many attempts/);
  assert.equal(await statusOf(enter(app, authenticator.get(await options(app)))), 303);
  const { rows } = await app.services.admin.audit.list({ actions: ["cfbe_use_passkey"] });
  assert.deepEqual(rows.map(({ result, count }) => [result, count ?? 1]).toSorted(), [["done", 1], [
    "refused",
    10,
  ]]);
});

Deno.test("a passkey is added once, to the account and session that began, and not from another site", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const viewer = await app.signIn("viewer");
  const elsewhere = await app.signIn();
  const taken = await added(viewer);
  const refused: [string, () => Promise<Response>][] = [
    [
      "another origin",
      async () =>
        add(admin, new Authenticator(ORIGIN).create(await begin(admin), { origin: "https://evil.example" })),
    ],
    [
      "another site",
      async () => add(admin, new Authenticator(ORIGIN).create(await begin(admin), { site: "evil.example" })),
    ],
    [
      "nobody verified",
      async () => add(admin, new Authenticator(ORIGIN).create(await begin(admin), { verified: false })),
    ],
    [
      "another session of the user",
      async () => add(elsewhere, new Authenticator(ORIGIN).create(await begin(admin))),
    ],
    ["another user's session", async () => add(viewer, new Authenticator(ORIGIN).create(await begin(admin)))],
    ["a challenge for signing in", async () =>
      add(
        admin,
        new Authenticator(ORIGIN).create(await begin(admin), { challenge: (await options(app)).challenge }),
      )],
    [
      "a passkey of another user",
      async () => add(admin, new Authenticator(ORIGIN).create(await begin(admin), { id: taken.id })),
    ],
    ["an attestation that nobody asked for", async () =>
      add(
        admin,
        new Authenticator(ORIGIN).create(await begin(admin), {
          attestation: ["packed", Buffer.from("a263783563814100" + "63736967" + "4100", "hex")],
        }),
      )],
    ["no answer", () => add(admin, "{}")],
  ];
  for (const [what, request] of refused) {
    const response = await request();
    assert.equal(response.status, 409, what);
    assert.match(await response.text(), /Create it again|added already/, what);
  }
  assert.equal((await owned(app)).length, 0);
  const answer = new Authenticator(ORIGIN).create(await begin(admin));
  const both = await Promise.all([add(admin, answer), add(admin, answer)].map(statusOf));
  assert.deepEqual(both.toSorted(), [303, 409]);
  const [passkey, ...more] = await owned(app);
  assert.deepEqual(more, []);
  await app.services.admin.passkeys.remove({ name: "the-admin", fixed: false }, passkey!.id);
  assert.equal(await statusOf(add(admin, answer)), 409, "a replay after it was removed");
});

Deno.test("passkeys are listed, renamed and removed by their user only, and audited", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const viewer = await app.signIn("viewer");
  await added(admin);
  const [passkey] = await owned(app);
  const { id } = passkey!;
  assert.equal(await statusOf(viewer.send("cfbe_rename_passkey", { passkey: id, title: "x" })), 404);
  assert.equal(await statusOf(viewer.send("cfbe_remove_passkey", { passkey: id })), 404);
  assert.equal(
    await statusOf(viewer.send("cfbe_remove_user_passkey", { passkey: id, name: "the-admin" })),
    403,
  );
  await statusOf(admin.send("cfbe_rename_passkey", { passkey: id, title: "<Phone>", _page: "/account" }));
  const { html } = await admin.page("/account");
  assert.match(html, /&lt;Phone>/);
  assert.match(html, /Synced between devices/);
  const result = await runAction(app.services, LOCAL, "cfbe_remove_user_passkey", {
    name: "the-admin",
    passkey: id,
  });
  assert.equal(result.status, 200);
  assert.equal(await opensAdmin(app, admin.cookie), false);
  assert.equal((await owned(app)).length, 0);
  const { rows } = await app.services.admin.audit.list();
  const found = rows.map(({ who, action, result }) => `${who} ${action} ${result}`);
  for (
    const each of [
      "the-admin cfbe_add_passkey done",
      "the-admin cfbe_rename_passkey done",
      "the-viewer cfbe_remove_passkey refused",
      "command line cfbe_remove_user_passkey done",
    ]
  ) assert.ok(found.includes(each), each);
});

Deno.test("a passkey confirms what is dangerous in place of the password, in its session only, and once", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const authenticator = await added(admin);
  const other = await added(await app.signIn("viewer"));
  await app.clock.advance(10 * MINUTE_MS);
  const invite = { name: "grace", role: "viewer", _page: "/users" };
  const asking = async (user = admin) => await (await user.send("cfbe_invite_user", invite)).text();
  const send = (answer: string, user = admin) =>
    user.send("cfbe_invite_user", { ...invite, _password: "", _passkey: answer });
  const page = await asking();
  assert.match(page, /Confirm your password/);
  const asked = optionsIn<RequestOptions>(page, "get");
  const elsewhere = await app.signIn();
  const refused: Record<string, string> = {
    "another user's passkey": other.get(asked),
    "a challenge for signing in": authenticator.get(await options(app)),
    "no answer": "x",
  };
  for (const [what, answer] of Object.entries(refused)) {
    const response = await send(answer);
    assert.equal(response.status, 403, what);
    assert.match(await response.text(), /This passkey was not accepted/, what);
  }
  const answer = authenticator.get(asked);
  await app.clock.advance(MINUTE_MS);
  assert.equal(await statusOf(send(answer)), 200);
  assert.equal((await app.services.admin.passwordLinks.list()).length, 1);
  await app.clock.advance(10 * MINUTE_MS);
  assert.equal(await statusOf(send(answer)), 403, "a replay");
  const mine = authenticator.get(optionsIn(await asking(), "get"));
  assert.equal(await statusOf(send(mine, elsewhere)), 403, "a page of another session");
  const { rows } = await app.services.admin.audit.list({ actions: ["cfbe_confirm_passkey"] });
  assert.ok(rows.some(({ result }) => result === "done") && rows.some(({ result }) => result === "refused"));
});

Deno.test("without https or with an IP address as public URL, the account page says why there are no passkeys", async () => {
  for (const url of ["http://news.example", "https://192.0.2.1", "https://[2001:db8::1]"]) {
    await using app = await adminHarness({ env: { CFBE_BASE_URL: url } });
    assert.equal((await app.fetch("/admin/login/passkey")).status, 404, url);
    const { passkeys } = app.services.admin;
    assert.equal(passkeys.site, undefined);
    const result = await passkeys.add({ name: "ann", fixed: false }, "s", { title: "x", answer: "{}" });
    assert.equal(result, "unavailable");
  }
});

/** The second factor: codes of an authenticator app, and recovery codes. */
import assert from "node:assert/strict";
import { TOTP } from "otpauth";
import {
  type AdminHarness,
  adminHarness,
  PASSWORD,
  type SignedIn,
} from "../../../dev/testing/admin_harness.ts";
import { cookieOf, deviceOf, logIn, opensAdmin, post } from "../accounts/testing/sign_in.ts";
import { runAction } from "../action_table.ts";
import { LOCAL } from "../auth/actor.ts";
import { createSecondFactors } from "../auth/second_factor/store.ts";
import { createKeyring } from "../../platform/keys/keyring.ts";

const STEP_MS = 30_000;
const MINUTE_MS = 60_000;
const FIRST_IP = "192.0.2.7";

interface App {
  /** The code that an authenticator app shows. */
  code(at?: number): string;
  recovery: string[];
}

/** Turns the second factor of a user on, with the forms of the account page. */
async function turnOn(app: AdminHarness, user: SignedIn): Promise<App> {
  const page = await (await user.send("cfbe_begin_second_factor", { _page: "/account" })).text();
  const [, secret] = /id="second-factor-secret" value="([A-Z2-7]{32})"/.exec(page)!;
  const [, seed] = /name="seed" value="([^"]+)"/.exec(page)!;
  assert.match(page, /<svg class="qr-code"/);
  const totp = new TOTP({ secret: secret! });
  const code = (at = app.clock.now()) => totp.generate({ timestamp: at });
  const wrong = await user.send("cfbe_enable_second_factor", {
    seed: seed!,
    code: "000000",
    _page: "/account",
  });
  const again = await wrong.text();
  assert.match(again, /This code does not fit/);
  assert.ok(again.includes(secret!), "a wrong code does not change the secret");
  const done =
    await (await user.send("cfbe_enable_second_factor", { seed: seed!, code: code(), _page: "/account" }))
      .text();
  const recovery = [...done.matchAll(/<code>((?:\w{4}-){3}\w{4})<\/code>/g)].map(([, each]) => each!);
  assert.equal(new Set(recovery).size, 10);
  return { code, recovery };
}

const stateOf = (html: string) => /name="state" value="([^"]+)"/.exec(html)?.[1];

/** Enters the password, and returns the state of the page that asks for the code. */
async function afterPassword(app: AdminHarness, fields: Record<string, string> = {}, more = {}) {
  const response = await logIn(app, fields, FIRST_IP, more);
  const html = await response.text();
  assert.equal(response.headers.getSetCookie().length, 0, "neither a session nor a known browser yet");
  const state = stateOf(html);
  assert.ok(state, html);
  return state;
}

const enter = (app: AdminHarness, state: string, code: string, more = {}) =>
  post(app, "/admin/login/code", { state, code, next: "/forms" }, FIRST_IP, more);

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}

Deno.test("with a second factor, the password alone opens nothing, and the code opens the page asked for", async () => {
  await using app = await adminHarness();
  const here = await app.signIn();
  const elsewhere = await app.signIn();
  const { code } = await turnOn(app, here);
  assert.equal(await opensAdmin(app, elsewhere.cookie), false, "sessions opened without a code have ended");
  assert.equal(await opensAdmin(app, here.cookie), true);
  await app.clock.advance(STEP_MS);
  const state = await afterPassword(app);
  const opened = await enter(app, state, code());
  assert.deepEqual([opened.status, opened.headers.get("location")], [303, "/admin/forms"]);
  assert.equal(await opensAdmin(app, cookieOf(opened)), true);
});

Deno.test("a code works once, also in two windows at the same time and with another state", async () => {
  await using app = await adminHarness();
  const { code } = await turnOn(app, await app.signIn());
  const [first, second] = [await afterPassword(app), await afterPassword(app)];
  assert.equal(await statusOf(enter(app, first, code())), 401, "the code that turned it on");
  await app.clock.advance(STEP_MS);
  const both = await Promise.all([first, second].map((state) => statusOf(enter(app, state, code()))));
  assert.deepEqual(both.toSorted(), [303, 401]);
  assert.equal(await statusOf(enter(app, first, code())), 401, "a replay of what was sent");
});

Deno.test("a code of the step before and after is accepted, and none further away", async () => {
  for (const [steps, status] of [[-2, 401], [-1, 303], [0, 303], [1, 303], [2, 401]] as const) {
    await using app = await adminHarness();
    const { code } = await turnOn(app, await app.signIn());
    await app.clock.advance(10 * STEP_MS);
    const state = await afterPassword(app);
    assert.equal(
      await statusOf(enter(app, state, code(app.clock.now() + steps * STEP_MS))),
      status,
      `${steps}`,
    );
  }
});

Deno.test("a clock that was a year ahead locks nobody out once it is right", async () => {
  await using app = await adminHarness();
  const now = app.clock.now();
  app.clock.set(now + 365 * 24 * 60 * MINUTE_MS);
  const { code } = await turnOn(app, await app.signIn());
  app.clock.set(now);
  assert.equal(await statusOf(enter(app, await afterPassword(app), code())), 303);
});

Deno.test("the page for the code does nothing without the password, with a changed or foreign state, or after five minutes", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { code } = await turnOn(app, admin);
  await app.clock.advance(STEP_MS);
  const state = await afterPassword(app);
  const [, signature] = state.split(".");
  const forged = `${btoa(`${app.clock.now() + 1} the-admin`).replaceAll("=", "")}.${signature}`;
  for (const each of ["", "x", forged, `${state}x`]) {
    const response = await enter(app, each, code());
    assert.equal(response.status, 401);
    assert.match(await response.text(), /Sign in again: the code has to follow/);
  }
  await app.clock.advance(5 * MINUTE_MS);
  assert.equal(await statusOf(enter(app, state, code())), 401, "expired");
  const fresh = await afterPassword(app);
  await app.services.admin.users.setPassword("the-admin", "gravel onion lantern");
  assert.equal(await statusOf(enter(app, fresh, code())), 401, "the password has changed since");
});

Deno.test("wrong codes count toward the limits of sign-in, and are in the audit log as one entry", async () => {
  await using app = await adminHarness();
  const { code } = await turnOn(app, await app.signIn());
  await app.clock.advance(STEP_MS);
  const state = await afterPassword(app);
  for (const _ of Array(5)) assert.equal(await statusOf(enter(app, state, "000000")), 401);
  const limited = await enter(app, state, code());
  assert.equal(limited.status, 429);
  assert.match(await limited.text(), /Too many attempts/);
  assert.ok(Number(limited.headers.get("retry-after")) > 0);
  const { rows } = await app.services.admin.audit.list({ actions: ["cfbe_enter_code"] });
  assert.deepEqual(rows.map(({ who, result, count }) => [who, result, count]), [["the-admin", "refused", 5]]);
});

Deno.test("a browser that is known by password and code keeps its own limit while strangers guess codes", async () => {
  await using app = await adminHarness();
  const { code } = await turnOn(app, await app.signIn());
  await app.clock.advance(STEP_MS);
  const opened = await enter(app, await afterPassword(app), code());
  const known = { cookie: deviceOf(opened) };
  const state = await afterPassword(app);
  for (const _ of Array(6)) await statusOf(enter(app, state, "000000"));
  await app.clock.advance(STEP_MS);
  const own = await logIn(app, {}, FIRST_IP, known);
  assert.equal(await statusOf(enter(app, stateOf(await own.text())!, code(), known)), 303);
});

Deno.test("a recovery code signs in once, however it is typed, and says how many are left", async () => {
  await using app = await adminHarness();
  const { recovery: [first, second] } = await turnOn(app, await app.signIn());
  const opened = await enter(app, await afterPassword(app), ` ${first!.toUpperCase().replaceAll("-", " ")}`);
  assert.equal(opened.status, 303);
  assert.match(decodeURIComponent(opened.headers.getSetCookie().join()), /9 are left/);
  assert.equal(await statusOf(enter(app, await afterPassword(app), first!)), 401);
  const states = [await afterPassword(app), await afterPassword(app)];
  const both = await Promise.all(states.map((state) => statusOf(enter(app, state, second!))));
  assert.deepEqual(both.toSorted(), [303, 401]);
  const { rows } = await app.services.admin.audit.list({ actions: ["cfbe_use_recovery_code"] });
  assert.equal(rows.length, 2);
});

Deno.test("new recovery codes replace the earlier ones, and turning the second factor off ends both", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { recovery } = await turnOn(app, admin);
  const page = await (await admin.send("cfbe_renew_recovery_codes", { _page: "/account" })).text();
  const [, renewed] = /<code>((?:\w{4}-){3}\w{4})<\/code>/.exec(page)!;
  assert.ok(!(await admin.page("/account")).html.includes(renewed!), "shown once");
  assert.equal(await statusOf(enter(app, await afterPassword(app), recovery[0]!)), 401);
  assert.equal(await statusOf(enter(app, await afterPassword(app), renewed!)), 303);
  assert.equal((await admin.send("cfbe_disable_second_factor", { _page: "/account" })).status, 303);
  assert.equal((await logIn(app, {}, FIRST_IP)).status, 303);
});

Deno.test("a new-password link does not get around the second factor", async () => {
  await using app = await adminHarness();
  const { code } = await turnOn(app, await app.signIn());
  const link = await app.services.admin.passwordLinks.reset({ name: "the-admin", by: "ann" });
  assert(typeof link === "object");
  const password = "gravel onion lantern";
  const chosen = await post(app, "/admin/new-password", { link: link.token, password, repeat: password });
  assert.equal(chosen.headers.getSetCookie().length, 0);
  await app.clock.advance(STEP_MS);
  const state = stateOf(await chosen.text())!;
  assert.equal(await statusOf(enter(app, state, code())), 303);
});

Deno.test("an admin and the command line remove the second factor of another user, which is audited", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  for (
    const remove of [
      () =>
        admin.send("cfbe_remove_second_factor", { name: "the-viewer", _page: "/users" }).then(({ status }) =>
          status
        ),
      () =>
        runAction(app.services, LOCAL, "cfbe_remove_second_factor", { name: "the-viewer" }).then((
          { status },
        ) => status),
    ]
  ) {
    const viewer = await app.signIn("viewer");
    await turnOn(app, viewer);
    assert.match((await admin.page("/users")).html, /Remove second factor/);
    assert.equal((await viewer.send("cfbe_remove_second_factor", { name: "the-admin" })).status, 403);
    assert.ok([200, 303].includes(await remove()));
    assert.equal((await logIn(app, { name: "the-viewer" }, FIRST_IP)).status, 303);
    await app.clock.advance(STEP_MS);
  }
  const { rows } = await app.services.admin.audit.list({ actions: ["cfbe_remove_second_factor"] });
  assert.deepEqual(rows.map(({ who, result }) => `${who} ${result}`), [
    "command line done",
    "the-admin done",
  ]);
});

Deno.test("another user of the same name does not inherit the second factor", async () => {
  await using app = await adminHarness();
  await app.signIn();
  await turnOn(app, await app.signIn("viewer"));
  const { users, secondFactors } = app.services.admin;
  await users.remove("the-viewer");
  assert.equal(await secondFactors.of("the-viewer"), undefined);
  await users.add({ name: "the-viewer", role: "viewer", password: PASSWORD });
  assert.equal((await logIn(app, { name: "the-viewer" }, FIRST_IP)).status, 303);
});

Deno.test("the database contains neither the secret nor a recovery code, and the secret outlives a new salt", async () => {
  await using app = await adminHarness();
  const { code, recovery } = await turnOn(app, await app.signIn());
  const dump = (await app.dump()).toLowerCase();
  for (const each of recovery) assert.ok(!dump.includes(each));
  const { kv, clock, services: { random } } = app;
  const salt = "the first salt, which is long enough to be one";
  const rotated = createKeyring(["the second salt, which is long enough to be one", salt], salt);
  const [before, after] = [createKeyring([salt]), rotated].map((keyring) =>
    createSecondFactors({ kv, clock, random, keyring })
  );
  const seed = before!.newSeed();
  const { text } = await before!.shown("ann", seed, "cfbe");
  assert.ok(!dump.includes(text.toLowerCase()));
  assert.equal((await after!.shown("ann", seed, "cfbe")).text, text);
  assert.equal(
    (await createSecondFactors({
      kv,
      clock,
      random,
      keyring: createKeyring(["another salt, which is long enough to be one"]),
    })
      .shown("ann", seed, "cfbe")).text === text,
    false,
  );
  assert.match(code(), /^\d{6}$/);
});

import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { adminHarness, PASSWORD } from "../../../dev/testing/admin_harness.ts";
import { cookieOf, logIn, opensAdmin, post } from "./testing/sign_in.ts";
import type { UsersRow } from "../auth/users.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

Deno.test("the set-up link creates one admin, even if several requests use it at the same time", async () => {
  await using app = await adminHarness();
  const link = new URL((await app.services.admin.openSetUp())!);
  const token = link.hash.slice(1);
  assert.doesNotMatch(await app.dump(), new RegExp(token));
  const opened = await app.fetch(link.pathname + link.search);
  assert.match(await opened.text(), /data-link.*password_link\.js/s);
  const page = await post(app, "/admin/set-up", { link: token });
  assert.equal(page.headers.get("referrer-policy"), "same-origin");
  assert.match(await page.text(), /Create the first admin/);

  const wrong = await post(app, "/admin/set-up", { token, name: "Ann!", password: "short" });
  const html = await wrong.text();
  assert.equal(wrong.status, 422);
  assert.match(html, /id="name-error">Must be 2 to 40/);
  assert.match(html, /id="password-error">Must be 10 characters/);

  const both = await Promise.all(
    ["ann", "ben"].map((name) => post(app, "/admin/set-up", { token, name, password: PASSWORD })),
  );
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [303, 410]);
  const made = both.find(({ status }) => status === 303)!;
  assert.ok(await opensAdmin(app, cookieOf(made)));
  const [first, ...others] = await app.services.admin.users.list();
  assert.deepEqual(others, []);
  assert.equal(await app.services.admin.openSetUp(), undefined);
  const log = (await app.services.admin.audit.list({ actions: ["cfbe_create_first_admin"] })).rows;
  const done = log.filter(({ result }) => result === "done");
  assert.deepEqual(done.map(({ who, ip }) => [who, ip]), [[first!.name, "192.0.2.1"]]);
});

Deno.test("a set-up link is valid for a day, across restarts, until the first admin is created", async () => {
  await using app = await adminHarness();
  const open = async () => new URL((await app.services.admin.openSetUp())!).hash.slice(1);
  const used = (token: string) => post(app, "/admin/set-up", { token, name: "ann", password: PASSWORD });
  const expired = await open();
  await app.clock.advance(DAY_MS);
  assert.equal((await used(expired)).status, 410);
  const first = await open();
  for (let starts = 0; starts < 50; starts++) await open();
  const last = await open();
  assert.equal((await used(first)).status, 303);
  assert.equal((await used(last)).status, 410);
});

Deno.test("the token of a set-up link reaches no server before the page sends it, and links of earlier versions still work", async () => {
  await using app = await adminHarness();
  const link = new URL((await app.services.admin.openSetUp())!);
  const token = link.hash.slice(1);
  assert.ok(token.length > 20);
  assert.equal(link.search, "");
  const old = `/admin/set-up?token=${token}`;
  assert.match(await (await app.fetch(old)).text(), /Create and sign in/);
  assert.equal((await app.fetch("/admin/set-up?token=wrong")).status, 410);
  for (const pasted of [token, link.href, `${link.origin}${old}`]) {
    const page = await post(app, "/admin/set-up", { link: pasted });
    assert.match(await page.text(), new RegExp(`name="token" value="${token}"`), pasted);
  }
  assert.equal((await post(app, "/admin/set-up", { link: "wrong" })).status, 410);
});

Deno.test("the stored set-up links fit into a row, however often cfbe starts", async () => {
  await using app = await adminHarness();
  for (let starts = 0; starts < 150; starts++) await app.services.admin.openSetUp();
  const { setUps } = (await app.services.kv.get<UsersRow>(keys.adminUsers())).value!;
  assert.equal(setUps?.length, 100);
});

Deno.test("with a password in the environment, there is no set-up link", async () => {
  await using app = await adminHarness({ env: { CFBE_ADMIN_PASSWORD: "set by environment" } });
  assert.equal(await app.services.admin.openSetUp(), undefined);
  const response = await logIn(app, { name: "Admin ", password: "set by environment" });
  assert.equal(response.status, 303);
});

Deno.test("a set-up link that was created while the clock was ahead is not valid once it is right", async () => {
  await using app = await adminHarness();
  const right = app.clock.now();
  await app.clock.set(right + 365 * DAY_MS);
  const open = async () => new URL((await app.services.admin.openSetUp())!).hash.slice(1);
  const token = await open();
  await app.clock.set(right);
  assert.equal((await post(app, "/admin/set-up", { token, name: "ann", password: PASSWORD })).status, 410);
  await open();
  const { setUps } = (await app.services.kv.get<UsersRow>(keys.adminUsers())).value!;
  assert.deepEqual(setUps?.map(({ at }) => at), [right], "it does not stay in the row");
});

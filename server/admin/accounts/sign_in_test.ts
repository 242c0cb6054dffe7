import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import type { LogRow } from "../../platform/limits/policies.ts";
import { timesOf } from "../../platform/limits/spend.ts";
import { adminHarness, PASSWORD } from "../../../dev/testing/admin_harness.ts";
import { cookieOf, deviceOf, logIn, opensAdmin } from "./testing/sign_in.ts";

const HOUR_MS = 60 * 60 * 1000;

Deno.test("the right name and password open a session that no script and no other site can use", async () => {
  await using app = await adminHarness();
  await app.signIn();
  const response = await logIn(app, { next: "/users?x=1" });
  assert.deepEqual([response.status, response.headers.get("location")], [303, "/admin/users?x=1"]);
  const cookie = response.headers.get("set-cookie")!;
  assert.match(cookie, /^cfbe=[\w-]{43};/);
  for (const part of ["HttpOnly", "SameSite=Lax", "Path=/"]) assert.ok(cookie.includes(part), cookie);
  assert.doesNotMatch(cookie, /Secure|Domain/);
  assert.ok(await opensAdmin(app, cookieOf(response)));
  assert.doesNotMatch(await app.dump(), new RegExp(cookieOf(response).slice(5)));
});

Deno.test("on a public URL, with or without a path, the cookie is Secure and has the prefix __Host-", async () => {
  await using app = await adminHarness({ env: { CFBE_BASE_URL: "https://news.example/signup" } });
  await app.signIn();
  const response = await logIn(app);
  assert.equal(response.status, 303);
  assert.equal(response.headers.get("location"), "/signup/admin/overview");
  const cookie = response.headers.get("set-cookie")!;
  assert.match(cookie, /^__Host-cfbe=/);
  assert.match(cookie, /Path=\/;/);
  assert.match(cookie, /Secure/);
  assert.ok(await opensAdmin(app, cookieOf(response)));
});

Deno.test("on a public http URL, where browsers reject the cookie, the sign-in page warns", async () => {
  await using app = await adminHarness({ env: { CFBE_BASE_URL: "http://news.example" } });
  assert.match(await (await app.fetch("/admin/login")).text(), /browsers do not keep you signed in/);
});

Deno.test("a URL of the admin with a trailing slash redirects to the one without", async () => {
  await using app = await adminHarness();
  for (const [path, to] of [["/admin/", "/admin"], ["/admin/users/?after=x", "/admin/users?after=x"]]) {
    const response = await app.fetch(path!, { headers: { host: "evil.example" } });
    assert.deepEqual([response.status, response.headers.get("location")], [301, to], "relative");
  }
});

Deno.test("signing in never redirects to another site", async () => {
  await using app = await adminHarness();
  await app.signIn();
  for (
    const next of ["https://evil.example", "//evil.example", "/\\evil.example", "/%2f/evil", "javascript:1"]
  ) {
    const response = await logIn(app, { next });
    const to = new URL(response.headers.get("location") ?? "", "http://localhost:8000/admin/ajax");
    assert.equal(to.origin, "http://localhost:8000", next);
    if (response.status === 429) await app.clock.advance(HOUR_MS);
  }
});

Deno.test("signing in opens the Overview if the page to open has characters that no URL has", async () => {
  await using app = await adminHarness();
  await app.signIn();
  for (
    const next of ["/users?a=\r\nset-cookie:x=1", "/users?\0", "/users?a=\x7f", "/users?a=中", "/users?a=b c"]
  ) {
    const response = await logIn(app, { next });
    assert.deepEqual([response.status, response.headers.get("location")], [303, "/admin/overview"], next);
  }
  assert.equal(
    (await logIn(app, { next: "/users?after=x%20y" })).headers.get("location"),
    "/admin/users?after=x%20y",
  );
});

Deno.test("wrong attempts are limited to five per name and IP in 15 minutes, and ten per network in an hour", async () => {
  await using app = await adminHarness();
  await app.signIn();
  const guess = async (ip: string) => (await logIn(app, { password: "a wrong password" }, ip)).status;
  for (let i = 0; i < 5; i++) assert.equal(await guess("192.0.2.1"), 401);
  const refused = await logIn(app, {}, "192.0.2.1");
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "900");
  for (let i = 0; i < 5; i++) assert.equal(await guess(`192.0.2.${2 + i}`), 401);
  assert.equal((await logIn(app, {}, "192.0.2.99")).status, 429);
  for (let i = 0; i < 10; i++) assert.equal(await guess(`2001:db8:7:${i}::1`), 401);
  assert.equal((await logIn(app, {}, "2001:db8:7:ff::1")).status, 429, "a /48 is one network");
  await app.clock.advance(HOUR_MS);
  assert.equal((await logIn(app, {}, "192.0.2.1")).status, 303);
});

Deno.test("strangers from nine networks cannot lock an owner out of a new browser", async () => {
  await using app = await adminHarness();
  await app.signIn();
  for (let network = 0; network < 9; network++) {
    for (let i = 0; i < 30; i++) {
      const ip = `198.51.${network}.${i}`;
      await (await logIn(app, { password: "a wrong password" }, ip)).body?.cancel();
    }
  }
  assert.equal((await logIn(app, {}, "192.0.2.1")).status, 303);
});

Deno.test("an account gets at most a hundred guesses per hour, from any number of networks", async () => {
  await using app = await adminHarness();
  await app.signIn();
  const device = deviceOf(await logIn(app));
  const statuses: Record<number, number> = {};
  for (let network = 0; network < 15; network++) {
    for (let i = 0; i < 10; i++) {
      const { status } = await logIn(app, { password: "a wrong password" }, `198.51.${network}.${i}`);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
  assert.deepEqual(statuses, { 401: 100, 429: 50 });
  assert.equal((await logIn(app, {}, "192.0.2.1", { cookie: device })).status, 303, "a known browser");
});

Deno.test("a known browser signs in while strangers fill the queue, and the surplus gets 503 with Retry-After", async () => {
  await using app = await adminHarness();
  await app.signIn();
  const device = deviceOf(await logIn(app));
  const done: string[] = [];
  const strangers = Array.from({ length: 20 }, async (_, i) => {
    const response = await logIn(app, { name: `nobody-${i}` }, `198.51.${i}.1`);
    done.push(`${response.status}`);
    return response;
  });
  const owner = logIn(app, {}, undefined, { cookie: device }).then(({ status }) =>
    void done.push(`owner ${status}`)
  );
  const busy = (await Promise.all(strangers)).filter(({ status }) => status === 503);
  await owner;
  assert.equal(busy.length, 11, "one is hashed, eight wait");
  assert.equal(busy[0]!.headers.get("retry-after"), "5");
  assert.match(await busy[0]!.text(), /Wait a few seconds/);
  const place = done.indexOf("owner 303");
  assert.ok(place >= 0 && place < done.lastIndexOf("401"), done.join(" "));
  const counted = await Array.fromAsync(
    app.kv.list<LogRow>({ prefix: keys.log("login_user", "").slice(0, -1) }),
  );
  const failures = counted.flatMap(timesOf);
  assert.equal(failures.length, 9, "attempts that were not checked count toward no limit");
});

Deno.test("strangers who guess at a name cannot lock its owner out of a known browser", async () => {
  await using app = await adminHarness();
  const [admin] = [await app.signIn(), await app.signIn("viewer")];
  const device = deviceOf(await logIn(app));
  const guesses = async (name: string, from: number) => {
    for (let i = 0; i < 10; i++) {
      await (await logIn(app, { name, password: "a wrong password" }, `192.0.2.${from + i}`)).body?.cancel();
    }
  };
  await guesses("the-admin", 1);
  assert.equal((await logIn(app)).status, 429, "an unknown browser");
  const known = (fields: Record<string, string> = {}, cookie = device) =>
    logIn(app, fields, undefined, { cookie });
  assert.equal((await known()).status, 303);

  // A known browser has a limit of its own, which is just as low. It is known for one name, by an unchanged cookie.
  for (let i = 0; i < 5; i++) assert.equal((await known({ password: "a wrong password" })).status, 401);
  assert.equal((await known()).status, 429);
  await guesses("the-viewer", 20);
  assert.equal((await known({ name: "the-viewer" })).status, 429);
  assert.equal((await known({}, `${device.slice(0, -1)}${device.endsWith("A") ? "B" : "A"}`)).status, 429);

  const changed = await admin.send("cfbe_change_password", {
    current: PASSWORD,
    password: "another long one",
  });
  assert.equal(changed.status, 303, "a signed-in user can still change the password");
});

Deno.test("an IP gets ten attempts for all names together, even at the same time", async () => {
  await using app = await adminHarness();
  await app.signIn("viewer");
  const statuses: number[] = [];
  // The password queue holds nine at once.
  for (let wave = 0; wave < 2; wave++) {
    const names = Array(3).fill(["the-admin", "the-viewer", "nobody"]).flat();
    const all = names.map((name) => logIn(app, { name, password: "a wrong password" }));
    statuses.push(...(await Promise.all(all)).map(({ status }) => status));
  }
  assert.deepEqual(statuses.toSorted(), [...Array(10).fill(401), ...Array(8).fill(429)]);
  assert.equal((await logIn(app, { name: "nobody-else" }, "198.51.100.7")).status, 401);
});

Deno.test("successful sign-ins count toward no limit, and do not reset the count of wrong attempts", async () => {
  await using app = await adminHarness();
  await app.signIn();
  const wrong = (name: string) => logIn(app, { name, password: "a wrong password" });
  for (let i = 0; i < 15; i++) assert.equal((await logIn(app)).status, 303);
  for (let i = 0; i < 4; i++) assert.equal((await wrong("the-admin")).status, 401);
  for (let i = 0; i < 3; i++) assert.equal((await logIn(app)).status, 303);
  assert.equal((await wrong("the-admin")).status, 401);
  assert.equal((await logIn(app)).status, 429, "five wrong attempts for the name");
  for (let i = 0; i < 4; i++) assert.equal((await wrong(`nobody-${i}`)).status, 401);
  assert.equal((await wrong("nobody-5")).status, 401);
  assert.equal((await wrong("nobody-6")).status, 429, "ten wrong attempts from the IP");
});

Deno.test("a sign-in sent by another site's form is rejected", async () => {
  await using app = await adminHarness();
  await app.signIn();
  const body = new URLSearchParams({ name: "the-admin", password: PASSWORD });
  const headers = { origin: "https://evil.example" };
  const response = await app.fetch("/admin/login", { method: "POST", headers, body });
  assert.deepEqual([response.status, response.headers.get("set-cookie")], [403, null]);
});

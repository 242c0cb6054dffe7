import assert from "node:assert/strict";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { filled, form, get, post, start } from "./testing/form_page.ts";

Deno.test("the form page signs up without JavaScript, with interests, consent and placement", async () => {
  const clock = new ManualClock();
  await using program = await start(clock);
  const { response, html } = await get(program);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  assert.match(html, /I agree to the <a href="https:\/\/shop\.example\/terms"/);

  await clock.advance(3_000);
  const done = await post(program, filled(html, "ann@example.com"));
  assert.equal(done.response.status, 200);
  assert.match(done.html, /<h1>Thank you!<\/h1>[^]*check your inbox[^]*spam folder/);
  const [status] = (await signupStatuses(program.services, "ann@example.com"))!;
  assert.deepEqual(status?.record.tags, ["tea", "site", "placement-footer"]);
  assert.equal(status?.record.name, "Ann");
  assert.deepEqual([status?.consents[0]?.given, status?.consents[0]?.text], [true, form.consentText]);
});

Deno.test("a form page that was open when its form was paused loses no signup", async () => {
  const clock = new ManualClock();
  await using program = await start(clock, {});
  const save = (status?: "paused") =>
    program.services.settings.save("forms", { forms: [{ name: "footer", tags: ["site"], status }] });
  await save();
  const { html } = await get(program);
  await save("paused");
  assert.equal((await get(program)).response.status, 404);
  await clock.advance(3_000);
  assert.match((await post(program, filled(html, "ann@example.com"))).html, /check your inbox/);
  const [status] = (await signupStatuses(program.services, "ann@example.com"))!;
  assert.deepEqual(status?.record.tags, ["tea", "site", "placement-footer"]);
});

Deno.test("an expired or missing token shows the form again, filled in, with a valid token, and says that nothing was sent yet", async () => {
  const clock = new ManualClock();
  await using program = await start(clock);
  const { html } = await get(program);
  await clock.advance(2 * 60 * 60 * 1000 + 1);
  const stale = filled(html, "ben@example.com");
  const bare = stale.filter(([name]) => !name.startsWith("cfbe_"));
  for (const sent of [stale, bare]) {
    const again = await post(program, sent);
    assert.match(
      again.html,
      /role="alert">Your signup hasn’t been sent yet\. Please check your entries and submit the form again\./,
    );
    assert.match(again.html, /value="ben@example\.com"/);
    assert.match(again.html, /value="tea" checked/);
    await clock.advance(3_000);
    assert.match((await post(program, filled(again.html, "ben@example.com"))).html, /check your inbox/);
  }
});

Deno.test("a submission within three seconds shows the form again with the same token, which then works", async () => {
  const clock = new ManualClock();
  await using program = await start(clock);
  const { html } = await get(program);
  await clock.advance(2_000);
  const again = await post(program, filled(html, "cleo@example.com"));
  assert.match(again.html, /submit the form again/);
  await clock.advance(1_000);
  assert.match((await post(program, filled(again.html, "cleo@example.com"))).html, /check your inbox/);
});

Deno.test("a filled honeypot gets the same page as a success, and stores nothing", async () => {
  const clock = new ManualClock();
  await using program = await start(clock);
  const { html } = await get(program);
  await clock.advance(3_000);
  const good = await post(program, filled(html, "dora@example.com"));
  const trapped = filled(html, "bot@example.com").map((
    [name, value],
  ): [string, string] => [name, name === "cfbe_hp" ? "x" : value]);
  const fake = await post(program, trapped);
  assert.equal(fake.html, good.html);
  assert.deepEqual(await signupStatuses(program.services, "bot@example.com"), []);
});

Deno.test("after a limit, the page says how to go on to whoever tests with the sandbox, and to no visitor of a real site", async () => {
  await using program = await start();
  const { clock } = program.services;
  assert.ok(clock instanceof ManualClock);
  const attempt = async (number: number) => {
    const { html } = await get(program);
    await clock.advance(4_000);
    return await post(program, filled(html, `ann${number}@example.com`));
  };
  for (let number = 1; number <= 5; number++) assert.equal((await attempt(number)).response.status, 200);
  const sixth = await attempt(6);
  assert.equal(sixth.response.status, 429);
  assert.match(sixth.html, /Too many attempts/);
  assert.match(sixth.html, /forget your limits/);
  assert.ok(sixth.html.includes(`href="${program.baseUrl}/admin/privacy#limits"`));
  assert.match(sixth.html, /name="email"[^>]* value="ann6@example\.com"/);

  const general = { provider: "kit", apiKey: "a-key-of-kit", defaultList: "1" } as const;
  await program.services.settings.save("general", general);
  const seventh = await attempt(7);
  assert.equal(seventh.response.status, 429);
  assert.doesNotMatch(seventh.html, /sandbox|\/admin/);
});

Deno.test("every invalid field is marked, and the input is kept and escaped", async () => {
  const clock = new ManualClock();
  await using program = await start(clock);
  const { html } = await get(program);
  await clock.advance(3_000);
  const wrong = filled(html, `"><script>alert(1)</script>`).filter(([name]) => name !== "consent");
  const { response, html: marked } = await post(program, wrong);
  assert.equal(response.status, 400);
  assert.match(marked, /id="email-error"/);
  assert.match(marked, /id="consent-error"/);
  assert.match(marked, /value="&quot;>&lt;script>/);
  assert.doesNotMatch(marked, /<script/);
});

Deno.test("the form page uses the visitor's language, or the one in its URL", async () => {
  await using program = await start();
  assert.match(
    (await get(program, "/form/footer", { "accept-language": "de-AT,en;q=0.5" })).html,
    /lang="de".*dir="ltr"/s,
  );
  assert.match((await get(program, "/form/footer?locale=ar")).html, /lang="ar" dir="rtl"/);
});

Deno.test("any body gets a page, never a server error", async () => {
  await using program = await start();
  for (const body of ["", "\xff\xfe", "a=b&a=c&=&&&", "email=%", "x".repeat(5000)]) {
    const response = await fetch(`${program.baseUrl}/form/footer`, { method: "POST", body });
    await response.body?.cancel();
    assert.ok(response.status < 500, `${body.slice(0, 10)}: ${response.status}`);
  }
});

Deno.test("a form that is too large gets a 413 page with an empty form that asks to submit it again, and is counted", async () => {
  await using program = await start();
  const { response, html } = await post(program, [["email", "ann@example.com"], ["name", "x".repeat(5_000)]]);
  assert.equal(response.status, 413);
  assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  assert.match(html, /role="alert">Your signup hasn’t been sent yet\. Please check your entries and submit/);
  assert.match(html, /<form method="post" /);
  assert.doesNotMatch(html, /ann@example\.com|xxxxx/);
  assert.equal((await program.services.counters.totals())["invalid.too_large"], 1);
});

Deno.test("if the form cannot be prepared, the visitor gets a page in their language, and never JSON", async () => {
  await using program = await start();
  program.services.consentTexts.store = () => Promise.reject(new Error("the database is closed"));
  for (const method of ["GET", "POST"]) {
    const headers = { "accept-language": "de" };
    const response = await fetch(`${program.baseUrl}/form/footer`, { method, headers });
    assert.equal(response.status, 503, method);
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.match(await response.text(), /lang="de".*role="alert">[^<]*versuchen Sie es/s, method);
  }
  assert.equal((await program.services.counters.totals())["rejected.error"], 1, "only the submission counts");
});

Deno.test("a form in a page's own markup still accepts signups after its name was removed from the settings", async () => {
  const clock = new ManualClock();
  await using program = await start(clock);
  const { html } = await get(program);
  await clock.advance(3_000);
  for (const name of ["removed", "constructor"]) {
    const sent = filled(html, `${name}@example.com`).filter(([field]) => field !== "cfbe_cfg");
    const { response } = await post(program, sent, `/form/${name}`);
    assert.equal(response.status, 200);
    const [status] = (await signupStatuses(program.services, `${name}@example.com`))!;
    assert.deepEqual(status?.record.tags, ["tea"], "to the default list, without tags of a form");
  }
});

Deno.test("a form submitted by another site is shown to the visitor, who has to submit it again", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({
    clock,
    file: { settings: { general: { origins: ["https://shop.example"] }, form } },
  });
  const { html } = await get(program, "/form");
  await clock.advance(3_000);
  const from = async (origin: string, page: string) => {
    const body = new URLSearchParams(filled(page, "ann@example.com"));
    const response = await fetch(`${program.baseUrl}/form`, { method: "POST", headers: { origin }, body });
    return await response.text();
  };
  for (const origin of ["https://evil.example", "null"]) {
    const shown = await from(origin, html);
    assert.match(shown, /value="ann@example\.com"/);
    assert.deepEqual(await signupStatuses(program.services, "ann@example.com"), []);
  }
  const shown = await from("null", html);
  await clock.advance(3_000);
  assert.match(await from(new URL(program.baseUrl).origin, shown), /check your inbox/);
});

Deno.test("if the database does not respond, the page shows an error after ten seconds and keeps the input", async () => {
  const clock = new ManualClock();
  await using program = await start(clock);
  const { html } = await get(program);
  await clock.advance(3_000);
  program.services.signups.accept = () => new Promise(() => {});
  const sleepersBefore = clock.sleeping;
  const pending = post(program, filled(html, "ann@example.com"));
  await eventually("it waits", () => clock.sleeping > sleepersBefore);
  await clock.advance(10_000);
  const page = await pending;
  assert.equal(page.response.status, 503);
  assert.match(page.html, /value="ann@example\.com"/);
});

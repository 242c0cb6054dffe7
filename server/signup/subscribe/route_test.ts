import assert from "node:assert/strict";
import { harness } from "../../../dev/testing/harness.ts";
import { en } from "../../../shared/texts/en.ts";
import { LANGUAGES } from "../../../shared/texts/locales.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import { keys } from "../../platform/kv/keys.ts";
import { replaceCommits } from "../../../dev/testing/around_commits.ts";
import { bytesOf, recordCommits } from "../../../dev/bench/recorded_commit.ts";

/** The responses of `subscribe` (contract 4.3 to 4.20), and the order of decision 10. */

const PENDING = { success: true, code: "pending", message: en.form.success };
const SUBSCRIBE = `${NAMESPACE}/subscribe`;

async function counters(app: Awaited<ReturnType<typeof harness>>) {
  return await app.services.counters.totals();
}

for (const source of [undefined, "", "checkout", "account", "SHORTCODE", 1, ["popup"], null]) {
  Deno.test("the response has the texts of the visitor's language, from Accept-Language, for every outcome", async () => {
    await using app = await harness({
      settings: { form: { locales: { de: { texts: { success: "Danke!", rateLimited: "Langsam!" } } } } },
    });
    const message = async (language: string, body: Record<string, unknown>) => {
      const response = await app.post(body, { headers: { "accept-language": language } });
      return [response.status, (await response.json()).message];
    };
    assert.deepEqual(await message("de-AT,de;q=0.9,en;q=0.5", { email: "a@example.com" }), [200, "Danke!"]);
    assert.deepEqual(await message("de", { email: "a@example.com", cfbe_hp: "bot" }), [200, "Danke!"]);
    assert.deepEqual(await message("en", { email: "b@example.com" }), [200, LANGUAGES["en"]!.form.success]);
    assert.deepEqual(await message("fr, de;q=0.5", { email: "no" }), [400, LANGUAGES["fr"]!.form.invalid]);
    await message("de", { email: "no" });
    await message("de", { email: "no" });
    assert.deepEqual(await message("de", { email: "c@example.com" }), [429, "Langsam!"]);
  });

  Deno.test(`the source ${JSON.stringify(source)} is invalid: 400 with the field source`, async () => {
    await using app = await harness();
    const response = await app.post({ source, email: "ada@example.com" });
    assert.equal(response.status, 400);
    const { code, success, fields } = await response.json();
    assert.deepEqual({ code, success, fields }, {
      code: "invalid",
      success: false,
      fields: { source: en.form.invalid },
    });
  });
}

Deno.test("each of the four sources is accepted", async () => {
  await using app = await harness();
  for (const source of ["shortcode", "block", "promo", "popup"]) {
    assert.equal((await app.post({ source, email: `${source}@example.com` })).status, 200);
    assert.equal((await app.record(`${source}@example.com`))?.source, source);
  }
});

Deno.test("a body that is not a JSON object gets 400 without any field", async () => {
  await using app = await harness();
  for (const body of ["", "{", "[]", "null", '"a"', "1", "\xff", '{"source":"popup"', "{}{}"]) {
    const response = await app.fetch(SUBSCRIBE, { method: "POST", body });
    assert.equal(response.status, 400, body);
    const { code, fields } = await response.json();
    assert.deepEqual({ code, fields }, { code: "invalid", fields: {} }, body);
  }
});

Deno.test("all invalid fields are reported at once, each with its text from the settings", async () => {
  const form = {
    nameField: "required",
    consent: "required",
    consentText: "Yes, send it.",
    texts: { invalidEmail: "No mail reaches that." },
  };
  await using app = await harness({ settings: { form } });
  const response = await app.post({
    email: "nobody",
    name: "http://spam.example",
    interests: "all",
    consent: "yes",
  });
  assert.equal(response.status, 400);
  assert.deepEqual(await response.json(), {
    success: false,
    code: "invalid",
    message: en.form.invalid,
    fields: {
      email: "No mail reaches that.",
      name: en.form.invalidName,
      interests: en.form.invalidInterests,
      consent: en.form.invalidConsent,
    },
  });
});

Deno.test("only an invalid response has `fields`", async () => {
  await using app = await harness();
  assert.equal("fields" in await (await app.post({ email: "ada@example.com" })).json(), false);
  assert.equal("fields" in await (await app.post({ email: "no" })).json(), true);
});

Deno.test("a body of 4096 bytes is accepted, one of 4097 gets 413", async () => {
  await using app = await harness();
  const postBytes = (bytes: number) => {
    const body = { source: "popup", email: "ada@example.com", cfbe_token: app.token(), pad: "" };
    body.pad = "x".repeat(bytes - JSON.stringify(body).length);
    return app.fetch(SUBSCRIBE, { method: "POST", body: JSON.stringify(body) });
  };
  assert.equal((await postBytes(4096)).status, 200);
  const response = await postBytes(4097);
  assert.equal(response.status, 413);
  assert.deepEqual(await response.json(), {
    success: false,
    code: "invalid",
    message: en.form.invalid,
    fields: {},
  });
});

const DROPS: Record<string, (app: Awaited<ReturnType<typeof harness>>) => Record<string, unknown>> = {
  honeypot: () => ({ cfbe_hp: "buy" }),
  token_missing: () => ({ cfbe_token: undefined }),
  token_malformed: () => ({ cfbe_token: "1234" }),
  token_wrong: (app) => ({ cfbe_token: app.token().replace(/.$/, (last) => last === "A" ? "B" : "A") }),
  token_young: (app) => ({ cfbe_token: app.token(2_999) }),
  token_old: (app) => ({ cfbe_token: app.token(2 * 3_600_000 + 1) }),
};
for (const [reason, body] of Object.entries(DROPS)) {
  Deno.test(`${reason}: the request is dropped without a read or a write, and counts for no limit`, async () => {
    await using app = await harness();
    const before = await app.dump();
    for (let i = 0; i < 8; i++) {
      app.reset();
      const response = await app.post({ email: "ada@example.com", ...body(app) });
      assert.deepEqual([response.status, await response.json()], [200, PENDING]);
      assert.deepEqual(app.counts, { reads: 0, commits: 0 });
    }
    assert.equal(await app.dump(), before);
    assert.deepEqual(app.provider.calls, []);
    assert.deepEqual(await counters(app), { requests: 8, [`dropped.${reason}`]: 8 });
  });
}

Deno.test("tokens of exactly 3 seconds and exactly 2 hours are valid", async () => {
  await using app = await harness();
  for (const age of [3_000, 2 * 3_600_000]) {
    await app.post({ email: `a${age}@example.com`, cfbe_token: app.token(age) });
    assert.ok(await app.record(`a${age}@example.com`));
  }
});

Deno.test("not configured: 503 rejected with the text from the settings, nothing stored, counted for the IP", async () => {
  await using app = await harness({
    configured: false,
    settings: { form: { texts: { error: "Later, please." } } },
  });
  for (let i = 0; i < 5; i++) {
    const response = await app.post({ email: "ada@example.com" });
    assert.equal(response.status, 503);
    assert.equal(response.headers.get("retry-after"), null, "it lasts until an admin acts");
    assert.deepEqual(await response.json(), { success: false, code: "rejected", message: "Later, please." });
  }
  assert.equal((await app.post({ email: "ada@example.com" })).status, 429);
  assert.equal(await app.record("ada@example.com"), null);
});

Deno.test("an unexpected error: 503 rejected in the visitor's language, logged, and without a stack trace", async () => {
  await using app = await harness();
  app.services.signups.accept = () => Promise.reject(new Error("disk of ada@example.com on fire"));
  const response = await app.post({ email: "ada@example.com" }, { headers: { "accept-language": "de" } });
  assert.deepEqual([response.status, response.headers.get("retry-after")], [503, "1"]);
  const body = await response.text();
  assert.equal(JSON.parse(body).code, "rejected");
  assert.match(JSON.parse(body).message, /^Das hat leider nicht geklappt/);
  assert.doesNotMatch(body, /fire|Error|\.ts/);
  assert.equal(app.log.of("subscribe.request_failed").length, 1);
  assert.deepEqual(await counters(app), { requests: 1, "rejected.error": 1 });
});

Deno.test("if the database hangs: 503 rejected after ten seconds, counted once", async () => {
  await using app = await harness();
  const called = Promise.withResolvers<void>();
  app.services.signups.accept = () => (called.resolve(), new Promise(() => {}));
  const pending = app.post({ email: "ada@example.com" });
  await called.promise;
  await app.clock.advance(10_000);
  const response = await pending;
  assert.deepEqual([response.status, (await response.json()).code], [503, "rejected"]);
  assert.deepEqual(["cache-control", "retry-after"].map((name) => response.headers.get(name)), [
    "no-store",
    "1",
  ]);
  assert.deepEqual(await counters(app), { requests: 1, "rejected.error": 1 });
});

for (const repeated of ["before it commits", "before its delivery", "after its delivery"]) {
  Deno.test(`a signup that commits after its 503 and is repeated ${repeated} gets one email, and each request is counted once`, async () => {
    await using app = await harness();
    const [begun, restored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const committed = Promise.withResolvers<void>();
    const { accept } = app.services.signups;
    app.services.signups.accept = async (...args) => {
      app.services.signups.accept = accept;
      try {
        return await accept(...args);
      } finally {
        committed.resolve();
      }
    };
    const undo = replaceCommits(app.kv, async (commit) => {
      undo();
      begun.resolve();
      await restored.promise;
      return await commit();
    });
    const first = app.post({ email: "ada@example.com" });
    await begun.promise;
    await app.clock.advance(10_000);
    assert.equal((await first).status, 503);

    const land = async () => (restored.resolve(), await committed.promise);
    const repeat = async () => {
      let response: Response | undefined;
      const answered = app.post({ email: "ada@example.com" }).then((value) => response = value);
      // Work that took ten seconds has lengthened the minimum response time.
      while (!response) await app.clock.advance(100);
      await answered;
      assert.equal(response.status, 200);
    };
    if (repeated === "before it commits") {
      const waiting = repeat();
      await land();
      await waiting;
    } else {
      await land();
      if (repeated === "after its delivery") await app.work();
      await repeat();
    }
    await app.work();
    assert.equal(app.provider.mails.length, 1);
    assert.equal((await app.record("ada@example.com"))?.status, "pending");
    assert.equal((await app.consents("ada@example.com")).length, 2);
    assert.deepEqual(await counters(app), { requests: 2, accepted: 1, "rejected.error": 1 });
  });
}

Deno.test("new, repeated, suppressed, dropped and stale signups get the same response, byte for byte, headers included", async () => {
  await using app = await harness();
  const responses: string[] = [];
  const bodies = [
    { email: "ada@example.com" },
    { email: "ada@example.com" },
    { email: "bounced@example.com" },
    { email: "bounced@example.com" },
    { email: "ada@example.com", cfbe_hp: "x" },
    { email: "ada@example.com", cfbe_token: "1.a" },
  ];
  for (const body of bodies) {
    if (body.email.startsWith("bounced")) {
      app.provider.nextResults.subscribe.push({ kind: "suppressed", reason: "405" });
    }
    const response = await app.post(body);
    // Random for each request.
    response.headers.delete("x-request-id");
    responses.push(JSON.stringify([response.status, [...response.headers], await response.text()]));
    await app.work();
  }
  assert.equal(new Set(responses).size, 1);
});

Deno.test("an accepted signup takes one read and one commit of limits, record, indexes, consent and job", async () => {
  await using app = await harness();
  app.reset();
  await app.post({ email: "ada@example.com" });
  assert.deepEqual(app.counts, { reads: 1, commits: 1 });
  const kinds = (await Array.fromAsync(app.kv.list({ prefix: ["s"] }))).map(({ key }) => key[2]).toSorted();
  assert.deepEqual(kinds, [
    "by_status",
    "due",
    "job",
    "log",
    "log",
    "log",
    "signup",
  ]);
});

// Records what Deno KV is told.
Deno.test("an accepted signup commits at most 7 mutations, 5 checks and 1,850 bytes", {
  ignore: Deno.env.has("CFBE_TEST_DATABASE"),
}, async () => {
  await using app = await harness();
  const [commit] = await recordCommits(() => app.post({ email: "ada@example.com" }));
  assert.deepEqual([commit!.writes.length, commit!.checks.length], [7, 5]);
  assert.ok(bytesOf(commit!) <= 1_850, `${bytesOf(commit!)} bytes`);
});

Deno.test("an accepted signup takes one commit even with a new consent text", async () => {
  const form = { consent: "required", consentText: "Yes, send it." };
  await using app = await harness({ settings: { form } });
  app.reset();
  await app.post({ email: "ada@example.com", consent: true });
  assert.equal(app.counts.commits, 1);
  assert.equal((await Array.fromAsync(app.kv.list({ prefix: keys.consentText("").slice(0, -1) }))).length, 1);
});

Deno.test("the counters add up to the number of requests, whatever the results", async () => {
  await using app = await harness();
  const bodies = [{}, { email: "no" }, { source: "x" }, { cfbe_hp: "x" }, { cfbe_token: "x" }, {
    pad: "x".repeat(5000),
  }];
  for (let i = 0; i < 24; i++) await app.post({ email: `ada${i}@example.com`, ...bodies[i % bodies.length] });
  const { requests, "note.invalid.email": invalidEmails, ...entries } = await counters(app);
  assert.deepEqual([requests, invalidEmails], [24, 2]);
  assert.equal(Object.values(entries).reduce((sum, count) => sum + count, 0), 24);
  assert.deepEqual(entries, {
    accepted: 3,
    "invalid.fields": 2,
    "rate_limited.ip": 3,
    "invalid.source": 4,
    "dropped.honeypot": 4,
    "dropped.token_malformed": 4,
    "invalid.too_large": 4,
  });
});

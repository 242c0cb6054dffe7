/** Chapter 4 of the contract, from outside: which requests `POST subscribe` accepts, and how it responds. */
import assert from "node:assert/strict";
import { chunked, sendRaw } from "./raw.ts";
import { ANY_IP, anyEmail, start, statements, type Stored, until, visible } from "./service.ts";
import {
  assertInvalid,
  delivered,
  drop,
  isSuccess,
  OPTIONS,
  PENDING,
  SUCCESS,
  UNLIMITED,
} from "./subscribe.ts";

const { anywhere, withSignups, here } = statements(OPTIONS);
const notConfigured = start({
  config: `{ settings: { ${ANY_IP} }, ${UNLIMITED} }`,
  env: { CFBE_PROVIDER: "bluefox" },
});

anywhere("a body of 4,096 bytes is read, one of 4,097 gets 413", async (service) => {
  for (const [filler, bytes] of [["x", 1], ["ü", 2], ["😀", 4]] as const) {
    const empty = JSON.stringify({ source: "popup", filler: "" }).length;
    const body = (length: number) => {
      const count = Math.floor((length - empty) / bytes);
      const text = filler.repeat(count) + "x".repeat(length - empty - count * bytes);
      const encoded = new TextEncoder().encode(JSON.stringify({ source: "popup", filler: text }));
      assert.equal(encoded.length, length);
      return encoded;
    };
    const headers = { "content-type": "application/json" };
    const fits = await service.call("subscribe", { body: body(4_096), headers });
    assert.ok(isSuccess(fits), `${filler}: ${fits.text}`);
    const { status, json } = await service.call("subscribe", { body: body(4_097), headers });
    assert.deepEqual([status, json.success, json.code], [413, false, "invalid"], filler);
  }
});

here(
  "a chunked body is counted as it arrives, in chunks of any size",
  "needs a connection without a proxy",
  async ({ program }) => {
    const head = [
      "POST /wp-json/cfbe/v1/subscribe HTTP/1.1",
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
    ];
    const body = (length: number) => `{"source":"popup","x":"`.padEnd(length - 2, "x") + `"}`;
    for (const chunk of [1, 100, 4_096, 65_536]) {
      const fits = await sendRaw(program.port, head, chunked(body(4_096), chunk));
      assert.equal(fits.status, 200, `chunks of ${chunk}: ${fits.text}`);
      const large = await sendRaw(program.port, head, chunked(body(4_097), chunk));
      assert.equal(large.status, 413, `chunks of ${chunk}`);
    }
  },
);

here(
  "a chunked body without end gets 413 after 4,096 bytes",
  "needs a connection without a proxy",
  async ({ program }) => {
    const head = ["POST /wp-json/cfbe/v1/subscribe HTTP/1.1", "Transfer-Encoding: chunked"];
    const { status } = await sendRaw(program.port, head, `2000\r\n${"x".repeat(8_192)}\r\n`);
    assert.equal(status, 413);
  },
);

here(
  "a Content-Length that is not the length of the body does not change its limit",
  "needs a connection without a proxy",
  async ({ program }) => {
    const body = `{"source":"popup","x":"`.padEnd(4_998, "x") + `"}`;
    const post = (length: number | string) =>
      sendRaw(
        program.port,
        ["POST /wp-json/cfbe/v1/subscribe HTTP/1.1", `Content-Length: ${length}`],
        body,
      );
    const cutOff = await post(100);
    assert.deepEqual([cutOff.status, cutOff.json.code], [400, "invalid"]);
    for (const length of [5_000, 1_000_000, 999_999_999_999]) {
      assert.equal(
        (await post(length)).status,
        413,
        `${length}`,
      );
    }
  },
);

anywhere(
  "each of the four sources is accepted, and any other value gets 400 with fields.source",
  async (service) => {
    for (const source of ["shortcode", "block", "promo", "popup"]) {
      assert.ok(isSuccess(await drop(service, { source })), source);
    }
    const others = [
      "widget",
      "Popup",
      " popup",
      "popup ",
      "",
      null,
      1,
      true,
      ["popup"],
      { popup: 1 },
      "constructor",
    ];
    for (const source of [...others, "account", "integration", "checkout", undefined]) {
      assertInvalid(await drop(service, { source }), ["source"], JSON.stringify(source) ?? "none");
    }
  },
);

anywhere("a body that is not a JSON object gets 400 with empty fields", async (service) => {
  for (
    const body of ["", " ", "{", "[]", "null", "1", '"source"', "source=popup", "\u0000", '{"source":"popup"']
  ) {
    const headers = { "content-type": "application/json" };
    assertInvalid(await service.call("subscribe", { method: "POST", body, headers }), [], body);
  }
});

anywhere("a page must declare its body as JSON", async (service) => {
  const { origin } = new URL(service.baseUrl);
  const body = JSON.stringify({ source: "popup" });
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]) {
    const answer = await service.call("subscribe", { body, headers: { origin, "content-type": type } });
    assertInvalid(answer, [], type);
  }
  for (const type of ["application/json", "application/json; charset=utf-8"]) {
    const answer = await service.call("subscribe", { body, headers: { origin, "content-type": type } });
    assert.ok(isSuccess(answer), type);
  }
});

anywhere(
  "a filled honeypot and a missing, forged or young token get the same success, byte for byte",
  async (service) => {
    const { json: { token } } = await service.call("form-token");
    const email = anyEmail();
    const dropped = await Promise.all([
      drop(service, { email }),
      drop(service, { email, cfbe_token: "" }),
      drop(service, { email, cfbe_token: "1.x" }),
      drop(service, { email, cfbe_token: `${token.split(".")[0]}.${"A".repeat(43)}` }),
      drop(service, { email, cfbe_token: token }),
      drop(service, { email, cfbe_token: token, cfbe_hp: "https://spam.example" }),
      drop(service, { email: "not an address" }),
      drop(service, {}),
    ]);
    for (const answer of dropped) {
      assert.ok(isSuccess(answer), answer.text);
      assert.deepEqual(Object.keys(answer.json), ["success", "code", "message"]);
      assert.deepEqual(visible(answer), visible(dropped[0]!));
    }
  },
);

withSignups("a new and a repeated signup get the same response as one that is dropped", async (service) => {
  const email = anyEmail();
  const answers = [
    await drop(service, { email }),
    await service.signUp({ email }),
    await service.signUp({ email }),
  ];
  for (const answer of answers) assert.deepEqual(visible(answer), visible(answers[0]!));
});

here(
  "new, repeated, subscribed, suppressed, bounced, failing and dropped signups get the same response, byte for byte",
  "needs the sandbox provider",
  async (service) => {
    const known = anyEmail();
    const first = await service.signUp({ email: known });
    await delivered(service, known);
    const cfbe_token = await service.token();
    const dropped = await drop(service, { email: anyEmail(), cfbe_token, cfbe_hp: "x" });
    const names = ["suppressed", "bounced", "active", "unsubscribed", "down", "slow", "auto"];
    const others = names.map((name) => `${name}+${crypto.randomUUID()}@${name}.example`);
    // The second time, each has a record.
    const answers = [first, dropped, await service.signUp({ email: known })];
    for (let round = 0; round < 2; round++) {
      for (const answer of await Promise.all(others.map((email) => service.signUp({ email })))) {
        answers.push(answer);
      }
    }
    for (const answer of answers) {
      assert.equal(answer.text, PENDING);
      assert.deepEqual(visible(answer), visible(first));
    }
  },
);

here(
  "no success is sent before the minimum time, whether a signup is accepted or dropped",
  "fills limits",
  async (service) => {
    await service.token();
    for (const send of [() => drop(service, {}), () => service.signUp({ email: anyEmail() })]) {
      for (let count = 0; count < 3; count++) {
        const started = performance.now();
        await send();
        // A timer may fire up to a millisecond early.
        assert.ok(performance.now() - started >= 74);
      }
    }
  },
);

here("what is dropped is not stored and gets no email", "needs the command line", async (service) => {
  const cfbe_token = await service.token();
  const emails = [anyEmail(), anyEmail(), anyEmail(), anyEmail()];
  await drop(service, { email: emails[0] });
  await drop(service, { email: emails[1], cfbe_token, cfbe_hp: "x" });
  await drop(service, { email: emails[2], cfbe_token: `${cfbe_token}x` });
  const { json: { token } } = await service.call("form-token");
  await drop(service, { email: emails[3], cfbe_token: token });
  // Signups are delivered in order, so the emails of earlier ones would be there.
  const last = anyEmail();
  await service.signUp({ email: last });
  await delivered(service, last);
  const stored = await service.cfbe("signups", "--json", "--limit", "200");
  assert.ok(stored.includes(last));
  for (const email of emails) {
    assert.ok(!stored.includes(email));
    assert.deepEqual(await service.mails(email), []);
  }
});

here(
  "a repeated signup adds a proof of consent, and sends no second email within a day",
  "needs the command line",
  async (service) => {
    const email = anyEmail();
    await service.signUp({ email, consent: true });
    await delivered(service, email);
    await service.signUp({ email, source: "popup" });
    await until(
      "the second consent is stored",
      async () => (await service.status(email))[0]!.consents.length === 2,
    );
    const [{ record }] = await service.status(email) as [Stored];
    assert.deepEqual([record.status, record.source], ["pending", "shortcode"]);
    assert.equal((await service.mails(email)).length, 1);
  },
);

here(
  "no signup reaches a form that is a draft, and no response names it",
  "needs its own settings",
  async (service) => {
    const { text } = await service.visit("/cfbe.json");
    assert.ok(text.includes("strict") && !text.includes("soon"), text);
    const email = anyEmail();
    assert.ok(isSuccess(await service.signUp({ email, form: "soon" })));
    assert.ok(!(await delivered(service, email)).record.tags.includes("soon"));
  },
);

here("texts are in the visitor's language", "needs its own settings", async (service) => {
  const messages = new Set<string>();
  for (const language of ["en", "de", "fr"]) {
    const { json } = await drop(service, {}, { "accept-language": language });
    messages.add(json.message);
  }
  assert.equal(messages.size, 3);
  assert.ok(messages.has(SUCCESS));
});

here(
  "while no provider is set up, a signup gets 503 rejected without Retry-After",
  "needs its own settings",
  async () => {
    const { status, headers, json } = await notConfigured().signUp({ email: anyEmail() });
    assert.equal(status, 503);
    assert.deepEqual(Object.keys(json), ["success", "code", "message"]);
    assert.deepEqual([json.success, json.code], [false, "rejected"]);
    assert.ok(!/bluefox|key|provider/i.test(json.message), json.message);
    assert.equal(headers.get("retry-after"), null);
    // A field that is invalid is reported first, and what is dropped looks like a success.
    assertInvalid(await notConfigured().signUp({ email: "x" }), ["email"], "fields before set up");
    assert.ok(isSuccess(await drop(notConfigured(), { email: anyEmail() })));
  },
);

here(
  "`already_active` is sent only for a subscriber, and only while the setting is on",
  "needs the sandbox provider",
  async (service) => {
    const subscribed = () => `active+${crypto.randomUUID()}@already.example`;
    const before = await service.signUp({ email: subscribed() });
    assert.equal(before.text, PENDING);
    await service.cfbe("settings", "set", "form.showAlreadySubscribed", "true");
    const after = await service.signUp({ email: subscribed() });
    assert.deepEqual([after.status, after.json.success, after.json.code], [200, true, "already_active"]);
    assert.deepEqual(Object.keys(after.json), ["success", "code", "message"]);
    for (const name of ["new", "bounced", "suppressed", "unsubscribed"]) {
      const { text } = await service.signUp({ email: `${name}+${crypto.randomUUID()}@already.example` });
      assert.equal(text, PENDING, name);
    }
  },
);

anywhere("variant-seen takes any text with 204, and 4,097 bytes with 413", async (service) => {
  for (const body of ["x", "{}", "\u0000", "x".repeat(4_096)]) {
    const { status, text } = await service.call("variant-seen", { method: "POST", body });
    assert.deepEqual([status, text], [204, ""]);
  }
  const { status } = await service.call("variant-seen", { body: "x".repeat(4_097) });
  assert.equal(status, 413);
});

anywhere("a signup from a server needs the API token", async (service) => {
  const wrong = [{}, { authorization: "Bearer wrong" }, { authorization: "Bearer " }, {
    "x-cfbe-secret": "wrong",
  }];
  for (const headers of wrong) {
    const json = { source: "integration", email: anyEmail() };
    const { status, headers: sent } = await service.visit("/integrations/signup", { json, headers });
    assert.deepEqual([status, sent.get("cache-control")], [401, "no-store"]);
  }
});

here(
  "a server signs people up with the API token, and a form that does not exist is refused",
  "needs its secrets",
  async (service) => {
    const headers = await service.apiToken();
    const signUp = (members: object) =>
      service.visit("/integrations/signup", { headers, json: { source: "integration", ...members } });
    const email = anyEmail();
    const consentText = "I agree on paper.";
    assert.equal((await signUp({ email, consent: true, consentText })).text, PENDING);
    const { record, consents } = await delivered(service, email);
    assert.equal(record.source, "integration");
    assert.ok(JSON.stringify(consents).includes(consentText));
    const unknown = await signUp({ email: anyEmail(), form: "nothing" });
    assert.deepEqual([unknown.status, unknown.json.code], [400, "invalid"]);
  },
);

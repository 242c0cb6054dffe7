/** Chapter 4 of the contract, from outside: what `POST subscribe` accepts, how it responds and what it stores. */
import assert from "node:assert/strict";
import { chunked, sendRaw } from "./raw.ts";
import {
  type Answer,
  ANY_IP,
  anyEmail,
  anyIp,
  type Service,
  start,
  statements,
  type Stored,
  until,
  visible,
} from "./service.ts";

const SUCCESS = "Almost done. Please check your inbox and confirm your email address.";
const PENDING = `{"success":true,"code":"pending","message":"${SUCCESS}"}`;
const CONSENT_TEXT = "I agree to get the newsletter of this test.";
const UNLIMITED = "filters: { cfbe_signup_site_limit: () => 0 }";

const { anywhere, withSignups, here } = statements({
  config: `{
    settings: {
      ${ANY_IP},
      form: {
        nameField: "optional",
        interests: [{ tag: "tea", label: "Tea" }, { tag: "coffee", label: "Coffee" }],
        consent: "optional",
        consentText: "${CONSENT_TEXT}",
      },
      forms: {
        forms: [
          { name: "strict", nameField: "required", consent: "required", tags: ["strict"] },
          { name: "plain", nameField: "hidden", consent: "off", interests: [] },
          { name: "soon", status: "draft", tags: ["soon"] },
        ],
      },
    },
    ${UNLIMITED},
  }`,
});
const notConfigured = start({
  config: `{ settings: { ${ANY_IP} }, ${UNLIMITED} }`,
  env: { CFBE_PROVIDER: "bluefox" },
});

/** Sends a signup that is dropped if its checks before the token pass: it has none. */
const drop = (service: Service, members: Record<string, unknown>, headers = {}) =>
  service.call("subscribe", { ip: anyIp(), headers, json: { source: "shortcode", ...members } });

const isSuccess = ({ status, json }: Answer) =>
  status === 200 && json.success === true && json.code === "pending";

/** Returns the only signup of an address, once it is delivered. */
async function delivered(service: Service, email: string): Promise<Stored> {
  await until(`the email to ${email}`, async () => (await service.mails(email)).length > 0);
  let stored: Stored[] = [];
  await until(`${email} is pending`, async () => {
    stored = await service.status(email);
    return stored[0]?.record.status === "pending";
  });
  assert.equal(stored.length, 1);
  return stored[0]!;
}

function assertInvalid({ status, json }: Answer, fields: string[], what: string): void {
  assert.equal(status, 400, what);
  assert.deepEqual(Object.keys(json), ["success", "code", "message", "fields"], what);
  assert.deepEqual([json.success, json.code], [false, "invalid"], what);
  assert.deepEqual(Object.keys(json.fields).sort(), fields.sort(), what);
  for (const message of [json.message, ...Object.values(json.fields)]) {
    assert.ok(typeof message === "string" && message !== "", what);
  }
}

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

withSignups("an email address that is invalid gets 400 with fields.email", async (service) => {
  assertInvalid(await service.signUp({ email: "x" }), ["email"], "x");
});

here("an address that email cannot reach is invalid", "fills limits", async (service) => {
  const long = "x".repeat(65);
  const invalid = [
    ...["", " ", "x", "@example.com", "ann@", "ann@example", "ann@@example.com", "a b@example.com"],
    ...[
      "ann@exam ple.com",
      "ann@example..com",
      "ann@-.com",
      "ann@[127.0.0.1]",
      `${long}@example.com`,
      "ann.example.com",
    ],
    ...[
      "ann@example.com, bo@example.com",
      "ann@example.com\r\nBcc: bo@example.com",
      "<ann@example.com>",
      `a@${"x.".repeat(130)}com`,
    ],
    ...[null, undefined, 1, true, ["ann@example.com"], { email: "ann@example.com" }],
  ];
  await service.token();
  await Promise.all(invalid.map(async (email) => {
    assertInvalid(await service.signUp({ email }), ["email"], JSON.stringify(email) ?? "none");
  }));
});

here("every invalid field is reported at once, and nothing is stored", "fills limits", async (service) => {
  const members = {
    form: "strict",
    email: "x",
    name: "visit https://spam.example",
    interests: 1,
    consent: false,
  };
  assertInvalid(await service.signUp(members), ["consent", "email", "interests", "name"], "all");
  assertInvalid(await service.signUp({ form: "strict", email: anyEmail() }), ["consent", "name"], "missing");
});

here(
  "a name has at most 100 characters, no control characters and no web address",
  "fills limits",
  async (service) => {
    await service.token();
    const bad = [
      "x".repeat(101),
      "😀".repeat(101),
      "Ann\u0007",
      "Ann\nBo",
      "www.spam.example",
      "http://spam.example",
      "\u202eAnn",
    ];
    await Promise.all(bad.map(async (name) => {
      assertInvalid(await service.signUp({ email: anyEmail(), name }), ["name"], JSON.stringify(name));
    }));
    for (const name of ["😀".repeat(100), "Zoë d'Arc-Łęcka", null]) {
      assert.ok(isSuccess(await service.signUp({ email: anyEmail(), name })), `${name}`);
    }
  },
);

here(
  "a form that hides the name, or has no interests, ignores them",
  "needs the command line",
  async (service) => {
    const email = anyEmail();
    await service.signUp({ email, form: "plain", name: "Ann", interests: ["tea"] });
    const { record } = await delivered(service, email);
    assert.equal(record.name, undefined);
    assert.ok(!record.tags.includes("tea"));
  },
);

here(
  "only configured interests are stored, and unknown members are ignored",
  "needs the command line",
  async (service) => {
    const email = anyEmail();
    const answer = await service.signUp({
      email: ` ${email.toUpperCase()} `,
      name: " Ann ",
      interests: ["coffee", "vip", "tea", "tea", "__proto__", 1, null, ["tea"]],
      consent: true,
      consentText: "I agree to everything.",
      consent_text: "I agree to everything.",
      list: "another",
      tags: ["vip"],
      status: "active",
      ip: "192.0.2.1",
    });
    assert.equal(answer.text, PENDING);
    const { record, consents } = await delivered(service, email);
    assert.equal(record.email, email);
    assert.equal(record.name, "Ann");
    assert.equal(record.source, "shortcode");
    assert.deepEqual(record.tags.filter((tag) => ["tea", "coffee", "vip"].includes(tag)), ["tea", "coffee"]);
    assert.notEqual(record.list, "another");
    // The text is the configured one, and never the one of the request.
    const proof = JSON.stringify(consents);
    assert.ok(proof.includes(CONSENT_TEXT) && !proof.includes("everything"), proof);
  },
);

here("only `true` is consent", "fills limits", async (service) => {
  await service.token();
  const signUp = (consent: unknown) =>
    service.signUp({ form: "strict", email: anyEmail(), name: "Ann", consent });
  const others = ["true", 1, "on", [true], { consent: true }, null, false, undefined, "yes"];
  await Promise.all(others.map(async (consent) => {
    assertInvalid(await signUp(consent), ["consent"], JSON.stringify(consent) ?? "none");
  }));
  assert.ok(isSuccess(await signUp(true)));
});

here(
  "a member of another type is invalid, dropped or ignored, and never an error",
  "fills limits",
  async (service) => {
    await service.token();
    const values = [null, 0, 1.5, "", "x", true, false, [], [1], {}, { a: 1 }];
    const allowed: Record<string, RegExp> = {
      source: /^400 source$/,
      email: /^400 email$/,
      name: /^(200|400 name)$/,
      interests: /^(200|400 interests)$/,
      consent: /^200$/,
      cfbe_cfg: /^200$/,
      cfbe_hp: /^200$/,
      cfbe_token: /^200$/,
    };
    await Promise.all(
      Object.entries(allowed).flatMap(([member, expected]) =>
        values.map(async (value) => {
          const { status, json } = await service.signUp({ email: anyEmail(), [member]: value });
          const result = [status, ...Object.keys(json.fields ?? {})].join(" ");
          assert.match(result, expected, `${member} ${JSON.stringify(value)}`);
        })
      ),
    );
    for (
      const [member, value] of [["name", 1], ["name", []], ["interests", "tea"], ["interests", {}]] as const
    ) {
      assertInvalid(await service.signUp({ email: anyEmail(), [member]: value }), [member], member);
    }
    for (const member of ["name", "interests"]) {
      assert.ok(isSuccess(await service.signUp({ email: anyEmail(), [member]: null })), member);
    }
  },
);

here(
  "of several errors, the first in the order of the checks decides the response",
  "fills limits",
  async (service) => {
    const cfbe_token = await service.token();
    const ip = anyIp();
    const post = (members: object) =>
      service.call("subscribe", { ip, json: { source: "popup", ...members } });
    const large = "x".repeat(4_096);
    const invalid = { email: "x", cfbe_token };
    assert.equal((await post({ ...invalid, source: "tea", large })).status, 413);
    assertInvalid(
      await post({ ...invalid, source: "tea", cfbe_hp: "x" }),
      ["source"],
      "source before honeypot",
    );
    assert.ok(isSuccess(await post({ ...invalid, cfbe_hp: "x" })), "honeypot before fields");
    assert.ok(isSuccess(await post({ email: "x" })), "token before fields");
    for (let count = 0; count < 5; count++) assertInvalid(await post(invalid), ["email"], "fields");
    assert.equal((await post(invalid)).status, 429, "limit per IP before fields");
    assert.ok(isSuccess(await post({ email: "x" })), "token before limit per IP");
    assertInvalid(await post({ source: "tea" }), ["source"], "source before limit per IP");
  },
);

here(
  "signed tags and a signed placement become tags, and a tampered configuration is ignored",
  "needs the command line",
  async (service) => {
    const cfg = (await service.cfbe("sign", "--placement", "landing", "--tag", "vip", "--list", "unknown"))
      .trim();
    const [payload, signature] = cfg.split(".") as [string, string];
    const [own, forged, plain] = [anyEmail(), anyEmail(), anyEmail()];
    const other = btoa(JSON.stringify({ list: "stolen", tags: ["stolen"] })).replace(/=+$/, "");
    const answers = [
      await service.signUp({ email: own, cfbe_cfg: cfg }),
      await service.signUp({ email: forged, cfbe_cfg: `${other}.${signature}` }),
      await service.signUp({ email: plain }),
    ];
    for (const text of [`${payload}.`, payload, `${cfg}A`, `.${signature}`, "~", "x".repeat(3_000), "😀"]) {
      answers.push(await service.signUp({ email: anyEmail(), cfbe_cfg: text }));
    }
    for (const { text } of answers) assert.equal(text, PENDING);
    const [signed, tampered, unsigned] = [
      await delivered(service, own),
      await delivered(service, forged),
      await delivered(service, plain),
    ];
    assert.ok(signed.record.tags.includes("vip") && signed.record.tags.includes("placement-landing"));
    assert.deepEqual(tampered.record.tags, unsigned.record.tags);
    // A list that is not known is the default list.
    for (const { record } of [signed, tampered]) assert.equal(record.list, unsigned.record.list);
  },
);

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

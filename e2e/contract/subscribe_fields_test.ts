/** Chapter 4 of the contract, from outside: what each field of a signup may contain, and what is stored of it. */
import assert from "node:assert/strict";
import { anyEmail, anyIp, statements } from "./service.ts";
import { assertInvalid, CONSENT_TEXT, delivered, isSuccess, OPTIONS, PENDING } from "./subscribe.ts";

const { withSignups, here } = statements(OPTIONS);

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
    const visitor = anyIp();
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
    }, { ip: visitor });
    assert.equal(answer.text, PENDING);
    const { record, consents } = await delivered(service, email);
    assert.equal(record.email, email);
    assert.equal(record.name, "Ann");
    assert.equal(record.source, "shortcode");
    assert.deepEqual(record.tags.filter((tag) => ["tea", "coffee", "vip"].includes(tag)), ["tea", "coffee"]);
    assert.notEqual(record.list, "another");
    assert.deepEqual(consents.map(({ ip }) => ip), [visitor]);
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
  "a signed list applies if it is known, or chosen in the settings",
  "needs the command line",
  async (service) => {
    const known: { id: string }[] = JSON.parse(
      await service.cfbe("settings", "get", "general.knownLists", "--json"),
    );
    await Promise.all([known.at(-1)!.id, "chosen"].map(async (list) => {
      const email = anyEmail();
      const cfbe_cfg = (await service.cfbe("sign", "--list", list)).trim();
      assert.equal((await service.signUp({ email, cfbe_cfg })).text, PENDING);
      assert.equal((await service.stored(email)).record.list, list);
    }));
  },
);

here(
  "a form that requires consent gets no signup without it, whatever configuration a request has",
  "fills limits",
  async (service) => {
    const { cfg, forms } = (await service.visit("/cfbe.json?locale=en")).json;
    const configurations: (string | undefined)[] = [undefined, cfg, forms.strict.cfg, forms.plain.cfg];
    const names = [undefined, "strict", "plain", "unknown", "", "STRICT", "strict "];
    for (const form of names) {
      for (const cfbe_cfg of configurations) {
        const what = `form ${form} with configuration ${configurations.indexOf(cfbe_cfg)}`;
        const email = anyEmail();
        const answer = await service.signUp({ email, name: "Ann", form, cfbe_cfg });
        const isStrict = form === "strict" || form === undefined && cfbe_cfg === forms.strict.cfg;
        if (isStrict) {
          assertInvalid(answer, ["consent"], what);
          assert.deepEqual(await service.status(email), [], what);
          continue;
        }
        assert.equal(answer.text, PENDING, what);
        const { record } = await service.stored(email);
        assert.ok(record.form !== "strict" && !record.tags.includes("strict"), what);
      }
    }
    const email = anyEmail();
    await service.signUp({ email, name: "Ann", form: "strict", consent: true, cfbe_cfg: forms.plain.cfg });
    const { record, consents } = await service.stored(email);
    assert.deepEqual([record.form, record.tags.includes("strict")], ["strict", true]);
    assert.deepEqual(consents.map(({ given, text }) => [given, text]), [[true, CONSENT_TEXT]]);
  },
);

/** Chapter 3 of the contract, from outside: the form token. */
import assert from "node:assert/strict";
import { type Answer, ANY_IP, anyEmail, anyIp, type Service, statements } from "./service.ts";

const SALT = "a salt for tests from outside, long enough to be one";
const HOUR_MS = 60 * 60 * 1000;

const { anywhere, withSignups, here } = statements({
  config: `{ settings: { ${ANY_IP}, forms: { forms: [{ name: "footer" }] } } }`,
  env: { CFBE_SALT: SALT },
});

/** Computes a token of a time from the description of decision 8: an HMAC under a key derived from the salt. */
async function signed(time: number, purpose = "cfbe/form-token", salt = SALT): Promise<string> {
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const secret = await crypto.subtle.importKey("raw", utf8(salt), "HKDF", false, ["deriveKey"]);
  const key = await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8(purpose) },
    secret,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign"],
  );
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(`${time}`)));
  return `${time}.${signature.toBase64({ alphabet: "base64url", omitPadding: true })}`;
}

/** Sends an email that is invalid, which the response tells only if the token was accepted. */
function probe(service: Service, cfbe_token: unknown, ip = anyIp()): Promise<Answer> {
  return service.call("subscribe", { ip, json: { source: "shortcode", email: "x", cfbe_token } });
}

async function isAccepted(service: Service, token: unknown): Promise<boolean> {
  const { status } = await probe(service, token);
  assert.ok(status === 400 || status === 200, `${status}`);
  return status === 400;
}

anywhere(
  'a response is {"token"} alone, and the token is a time in milliseconds and a signature',
  async (service) => {
    const { status, headers, text, json } = await service.call("form-token");
    assert.equal(status, 200);
    assert.match(text, /^\{"token":"\d{13}\.[A-Za-z0-9_-]{43}"\}$/);
    const time = Number(json.token.split(".")[0]);
    const sent = Date.parse(headers.get("date")!);
    assert.ok(Math.abs(time - sent) < 5_000, `token of ${time}, response of ${sent}`);
  },
);

anywhere("a token must not be cached, and each response has a new one", async (service) => {
  const first = await service.call("form-token");
  for (const header of ["etag", "last-modified", "expires", "age"]) {
    assert.equal(first.headers.get(header), null);
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = await service.call("form-token", {
    headers: { "if-none-match": "*", "cache-control": "max-age=9" },
  });
  assert.equal(second.status, 200);
  assert.notEqual(first.json.token, second.json.token);
});

here(
  "the parameter `form` changes nothing in the response, whatever it is",
  "stores signups",
  async (service) => {
    for (const form of ["footer", "nothing", "constructor", "__proto__", "%00", "x".repeat(1_000), ""]) {
      const { status, text } = await service.call(`form-token?form=${form}`);
      assert.equal(status, 200);
      assert.match(text, /^\{"token":"\d{13}\.[A-Za-z0-9_-]{43}"\}$/);
    }
  },
);

here("the signature is an HMAC under a key derived from the salt", "needs its secrets", async (service) => {
  const { json: { token } } = await service.call("form-token");
  assert.equal(token, await signed(Number(token.split(".")[0])));
});

here("a token is accepted between 3 seconds and 2 hours of age", "fills limits", async (service) => {
  const now = Date.now();
  // A request takes time, so the ends of the span are approached from one side only.
  const ages = {
    0: false,
    1_000: false,
    3_000: true,
    10_000: true,
    [HOUR_MS]: true,
    [2 * HOUR_MS - 60_000]: true,
  };
  for (const [age, accepted] of Object.entries(ages)) {
    assert.equal(await isAccepted(service, await signed(Date.now() - Number(age))), accepted, age);
  }
  for (
    const age of [
      2 * HOUR_MS + 1,
      3 * HOUR_MS,
      24 * HOUR_MS,
      now,
      now - 1,
      -1_000,
      -HOUR_MS,
      -1_000 * HOUR_MS,
    ]
  ) {
    assert.equal(await isAccepted(service, await signed(now - age)), false, `${age}`);
  }
});

here("no value of a token causes an error: it is accepted or dropped", "fills limits", async (service) => {
  const token = await service.token();
  const [time, signature] = token.split(".") as [string, string];
  assert.ok(await isAccepted(service, token));
  const last = signature.at(-1)!;
  const others = [
    ...[
      undefined,
      null,
      "",
      " ",
      ".",
      "0",
      0,
      true,
      {},
      [token],
      { token },
      "x".repeat(3_000),
      "\u0000",
      "😀.😀",
    ],
    ...[
      token + "=",
      token + " ",
      " " + token,
      `${token}.${signature}`,
      signature,
      `${time}.`,
      `.${signature}`,
    ],
    ...[`${Number(time) - 1}.${signature}`, `0${token}`, `+${token}`, `${time}e0.${signature}`, `-${token}`],
    ...[
      `${time}.${signature.slice(0, -1)}${last === "A" ? "B" : "A"}`,
      token.toUpperCase(),
      token.slice(0, -1),
    ],
    await signed(Number(time), "cfbe/form-config"),
    await signed(Number(time), "cfbe/wp_rest"),
    await signed(Number(time), "cfbe/form-token", `${SALT}.`),
  ];
  await Promise.all(others.map(async (other) => {
    assert.equal(await isAccepted(service, other), false, JSON.stringify(other));
  }));
});

withSignups(
  "a token that is three seconds old is accepted, and the same one is not at once",
  async (service) => {
    const { json: { token } } = await service.call("form-token");
    const young = await probe(service, token);
    const old = await probe(service, await service.token());
    assert.deepEqual([young.status, young.json.code], [200, "pending"]);
    assert.deepEqual([old.status, old.json.code], [400, "invalid"]);
  },
);

here("a token is valid for any number of signups", "stores signups", async (service) => {
  for (let count = 0; count < 3; count++) {
    const { status } = await service.signUp({ email: anyEmail() });
    assert.equal(status, 200);
    assert.ok(await isAccepted(service, await service.token()));
  }
});

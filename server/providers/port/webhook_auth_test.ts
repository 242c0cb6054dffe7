import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { isFromProvider, type WebhookAuth } from "./webhook_auth.ts";

const NOW = Date.UTC(2025, 0, 1, 12);
const TIME = String(NOW / 1000);
const TOLERANCE_MS = 300_000;
const SECRET = "a signing secret";
const BODY = "type=subscribe&data[email]=ada%40example.com";

const sign = (text: string, secret = SECRET) => createHmac("sha256", secret).update(text).digest("hex");

function isAccepted(
  auth: WebhookAuth,
  headers: Record<string, string>,
  secret = SECRET,
  body = BODY,
): boolean {
  const request = { headers: new Headers(headers), body: new TextEncoder().encode(body) };
  return isFromProvider(auth, request, { secret, now: NOW });
}

Deno.test("a timed signature is valid over the time and the exact body, for as long as its tolerance", () => {
  const auth = { kind: "timed", header: "X-Signature", toleranceMs: TOLERANCE_MS } as const;
  const at = (time: string, ...values: string[]) => ({
    "x-signature": [`t=${time}`, ...values.map((value) => `v1=${value}`)].join(","),
  });
  const right = sign(`${TIME}.${BODY}`);
  assert.ok(isAccepted(auth, at(TIME, right)));
  assert.ok(isAccepted(auth, at(TIME, sign(`${TIME}.${BODY}`, "the next secret"), right)), "one of several");
  assert.ok(isAccepted(auth, { "x-signature": `t=${TIME}, v1=${right.toUpperCase()}, v0=x` }));
  assert.ok(isAccepted(auth, { "x-signature": `v1=${right},t=${TIME}` }), "in another order");
  const early = String(NOW / 1000 - 300);
  assert.ok(isAccepted(auth, at(early, sign(`${early}.${BODY}`))), "at the end of the tolerance");
  for (const seconds of [-301, 301]) {
    const time = String(NOW / 1000 + seconds);
    assert.ok(!isAccepted(auth, at(time, sign(`${time}.${BODY}`))), `${seconds} s`);
  }
  assert.ok(!isAccepted(auth, at(early, right)), "of another time");
  assert.ok(!isAccepted(auth, at(TIME, right), SECRET, `${BODY}&more=1`));
  assert.ok(!isAccepted(auth, at(TIME)), "without a signature");
  for (const header of ["", right, `v1=${right}`, `t=,v1=${right}`, `t=x,v1=${right}`, `t=1e9,v1=${right}`]) {
    assert.ok(!isAccepted(auth, { "x-signature": header }), header);
  }
});

Deno.test("a plain signature is valid over the exact body, and with a time header over both", () => {
  const auth = { kind: "plain", header: "Signature" } as const;
  assert.ok(isAccepted(auth, { signature: sign(BODY) }));
  assert.ok(!isAccepted(auth, { signature: sign(`${BODY} `) }));
  assert.ok(!isAccepted(auth, {}));
  const timed = { ...auth, time: { header: "Sent-At", toleranceMs: TOLERANCE_MS } } as const;
  assert.ok(isAccepted(timed, { signature: sign(BODY + TIME), "sent-at": TIME }));
  assert.ok(!isAccepted(timed, { signature: sign(BODY), "sent-at": TIME }), "without the time");
  assert.ok(!isAccepted(timed, { signature: sign(BODY) }));
  const late = String(NOW / 1000 - 301);
  assert.ok(!isAccepted(timed, { signature: sign(BODY + late), "sent-at": late }));
  const dates: [string, boolean][] = [
    [new Date(NOW).toUTCString(), true],
    [new Date(NOW - TOLERANCE_MS).toUTCString(), true],
    [new Date(NOW - TOLERANCE_MS - 1_000).toUTCString(), false],
    [new Date(NOW).toISOString(), false],
    ["2025", false],
  ];
  for (const [date, expected] of dates) {
    assert.equal(isAccepted(timed, { signature: sign(BODY + date), "sent-at": date }), expected, date);
  }
});

Deno.test("a secret in a header is compared whole, after its scheme if there is one", () => {
  assert.ok(isAccepted({ kind: "secret", header: "X-Secret" }, { "x-secret": SECRET }));
  assert.ok(!isAccepted({ kind: "secret", header: "X-Secret" }, { "x-secret": `${SECRET}x` }));
  const basic = { kind: "secret", header: "Authorization", scheme: "Basic" } as const;
  assert.ok(isAccepted(basic, { authorization: `Basic ${btoa("user:pass")}` }, btoa("user:pass")));
  assert.ok(!isAccepted(basic, { authorization: `Bearer ${btoa("user:pass")}` }, btoa("user:pass")));
});

Deno.test("with an empty secret, no call is from the provider, whatever it contains", () => {
  const time = { header: "t", toleranceMs: TOLERANCE_MS };
  assert.ok(!isAccepted({ kind: "secret", header: "s" }, { s: "" }, ""));
  assert.ok(!isAccepted({ kind: "plain", header: "s" }, { s: sign(BODY, "") }, ""));
  assert.ok(!isAccepted({ kind: "plain", header: "s", time }, { s: sign(BODY + TIME, ""), t: TIME }, ""));
  const timed = { kind: "timed", header: "s", toleranceMs: TOLERANCE_MS } as const;
  assert.ok(!isAccepted(timed, { s: `t=${TIME},v1=${sign(`${TIME}.${BODY}`, "")}` }, ""));
});

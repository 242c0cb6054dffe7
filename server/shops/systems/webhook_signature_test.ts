import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { isBase64Signed } from "./webhook_signature.ts";

const BODY = new TextEncoder().encode('{"id":1}');
const sign = (secret: string) => createHmac("sha256", secret).update(BODY).digest("base64");

Deno.test("a webhook is signed by whoever knows the secret, and by nobody while none is set", () => {
  assert.ok(isBase64Signed(sign("secret"), BODY, "secret"));
  for (const given of [null, "", sign("another"), sign("secret").slice(0, -1)]) {
    assert.ok(!isBase64Signed(given, BODY, "secret"), String(given));
  }
  assert.ok(!isBase64Signed(sign(""), BODY, ""));
});

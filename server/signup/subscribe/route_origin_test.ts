import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { type Harness, harness } from "../../../dev/testing/harness.ts";

/** Requests from pages that are not on an allowed origin are dropped, and get the response of a success. */

const settings = { general: { origins: ["https://shop.example"] } };
const EVIL = { origin: "https://evil.example" };
const ADA = "ada@example.com";

/** Signs Ada up. Returns the status and the number of accepted signups. */
async function signUp(app: Harness, headers: Record<string, string>): Promise<[number, number]> {
  const { status } = await app.post({ email: ADA }, { headers });
  return [status, (await app.services.counters.totals())["accepted"] ?? 0];
}

Deno.test("a signup from a foreign page is dropped and counted: it stores nothing and counts for no limit", async () => {
  await using app = await harness({ settings });
  const before = await app.dump();
  for (const origin of [EVIL.origin, "null", ...Array(6).fill(EVIL.origin)]) {
    const response = await app.post({ email: ADA }, { headers: { origin } });
    assert.deepEqual([response.status, await response.json()], [200, {
      success: true,
      code: "pending",
      message: en.form.success,
    }]);
  }
  assert.equal(await app.dump(), before);
  const totals = await app.services.counters.totals();
  assert.deepEqual([totals["requests"], totals["dropped.origin"], totals["accepted"]], [8, 8, undefined]);
});

Deno.test("signups from allowed origins, our own pages and servers are accepted", async () => {
  for (const origin of ["https://shop.example", "own", undefined]) {
    await using app = await harness({ settings });
    const own = new URL(app.services.config.baseUrl).origin;
    const headers: Record<string, string> = origin ? { origin: origin === "own" ? own : origin } : {};
    assert.deepEqual(await signUp(app, headers), [200, 1], JSON.stringify(headers));
  }
  await using open = await harness();
  assert.deepEqual(await signUp(open, EVIL), [200, 1]);
});

Deno.test("a request from a page without the content type JSON is invalid, with and without allowed origins", async () => {
  for (const own of [settings, {}]) {
    await using app = await harness({ settings: own });
    const types = [
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/octet-stream",
    ];
    for (const type of own === settings ? types : [...types, "text/plain", "text/plain;charset=UTF-8"]) {
      await assertNotJson(app, { origin: "https://shop.example", "content-type": type });
    }
    assert.deepEqual(await signUp(app, { "content-type": "text/plain" }), [200, 1]);
  }
});

Deno.test("while there are allowed origins, their pages and our own may send plain text, which takes no preflight", async () => {
  for (const origin of ["https://shop.example", "own"]) {
    for (const mode of ["cors", undefined]) {
      await using app = await harness({ settings });
      const own = new URL(app.services.config.baseUrl).origin;
      const headers = {
        origin: origin === "own" ? own : origin,
        "content-type": "text/plain;charset=UTF-8",
        ...(mode && { "sec-fetch-mode": mode }),
      };
      assert.deepEqual(await signUp(app, headers), [200, 1], JSON.stringify(headers));
    }
  }
});

Deno.test("plain text is invalid from any other page, and from forms and beacons of an allowed one", async () => {
  await using app = await harness({ settings });
  const text = { "content-type": "text/plain;charset=UTF-8" };
  for (
    const origin of ["https://evil.example", "null", "https://shop.example.evil", "http://shop.example", ""]
  ) {
    await assertNotJson(app, { ...text, origin });
  }
  for (const mode of ["navigate", "no-cors", "same-origin", "websocket", ""]) {
    await assertNotJson(app, { ...text, origin: "https://shop.example", "sec-fetch-mode": mode });
  }
  assert.equal((await app.services.counters.totals())["accepted"], undefined);
});

/** Asserts that a signup is answered like one whose body is not JSON, and counted as such. */
async function assertNotJson(app: Harness, headers: Record<string, string>): Promise<void> {
  const counted = async () => (await app.services.counters.totals())["invalid.not_json"] ?? 0;
  const before = await counted();
  const response = await app.post({ email: ADA }, { headers });
  assert.deepEqual([response.status, await response.json()], [
    400,
    { success: false, code: "invalid", message: en.form.invalid, fields: {} },
  ], JSON.stringify(headers));
  assert.equal(await counted(), before + 1);
}

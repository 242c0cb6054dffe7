import assert from "node:assert/strict";
import { type Context, Hono } from "hono";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";
import { type ApiError, type ErrorCode, ERRORS, errorsAs, failureEvent, refuse } from "../errors.ts";
import { apiToken } from "./api_token.ts";
import { bodyLimit } from "./body_limit.ts";
import { jsonObject } from "./json_object.ts";
import { whileOn } from "./while_on.ts";

Deno.test("every error in the table has its status, and the default format if the route sets none", async () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const app = new Hono().get("/", (c) => refuse(c, code));
    const response = await app.request("/");
    const { status, message } = ERRORS[code];
    assert.deepEqual([response.status, await response.json()], [status, { success: false, code, message }]);
  }
});

Deno.test("an exception is reported once, in the route's format and under the route's log event", async () => {
  const seen: string[] = [];
  const app = new Hono();
  app.onError((_, c) => {
    seen.push(failureEvent(c));
    return refuse(c, "rejected");
  });
  const format = {
    respond: ({ status }: ApiError, c: Context) => c.json({ ok: false }, status),
    refused: () => void seen.push("refused"),
    failed: "test.failed",
  };
  app.get("/", errorsAs(format), () => {
    throw new Error("the disk is on fire");
  });
  const response = await app.request("/");
  assert.deepEqual([response.status, await response.json()], [503, { ok: false }]);
  assert.deepEqual(seen, ["test.failed", "refused"]);
});

/** Returns what the guard needs to know one token, and no stored ones. */
const knowing = (apiToken: string | undefined) => ({
  config: { apiToken },
  apiTokens: { use: () => Promise.resolve(undefined) },
  clock: new ManualClock(),
});

Deno.test("a token may contain any character, and a wrong, missing or malformed one gets 401", async () => {
  const app = new Hono().get("/", apiToken(knowing("p:w!~^")), (c) => c.text("in"));
  const statusOf = async (headers: Record<string, string>) => (await app.request("/", { headers })).status;
  assert.equal(await statusOf({ authorization: "Bearer p:w!~^" }), 200);
  for (const authorization of ["Bearer p:w!~", "Bearer", "Basic p:w!~^", "Bearer  ", ""]) {
    assert.equal(await statusOf({ authorization }), 401, authorization);
  }
  const refused = await app.request("/");
  assert.deepEqual([refused.status, refused.headers.get("www-authenticate")], [401, "Bearer"]);
});

Deno.test("without a configured token every request gets 401", async () => {
  const app = new Hono().get("/", apiToken(knowing(undefined)), (c) => c.text("in"));
  const response = await app.request("/", { headers: { authorization: "Bearer undefined" } });
  assert.equal(response.status, 401);
});

Deno.test("a body that is too large or not a JSON object is refused, whatever Content-Length says", async () => {
  const clock = new ManualClock();
  const app = new Hono().post("/", bodyLimit({ clock }, 10), jsonObject, (c) => c.json(c.var.json));
  const post = async (body: string) => {
    const headers = { "content-length": "1" };
    return (await app.request("/", { method: "POST", body, headers })).status;
  };
  assert.equal(await post('{"a":1}'), 200);
  assert.equal(await post('{"a":12345}'), 413);
  for (const body of ["[]", "1", "null", "{", ""]) assert.equal(await post(body), 400, body);
});

Deno.test("the routes of a module that is off respond with 404", async () => {
  let on = false;
  const app = new Hono().get("/", whileOn(() => on), (c) => c.text("here"));
  assert.equal((await app.request("/")).status, 404);
  on = true;
  assert.equal((await app.request("/")).status, 200);
});

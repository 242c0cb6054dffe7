import assert from "node:assert/strict";
import type { Provider } from "../../providers/port/port.ts";
import type { WebhookReading } from "../../providers/port/webhook.ts";
import { readFrom, type WebhookSource } from "./webhook_sources.ts";

/** Which of several providers a webhook call is taken to be from. */

const UNAUTHORIZED: WebhookReading = { kind: "refused", reason: "unauthorized" };
const MALFORMED: WebhookReading = { kind: "refused", reason: "malformed" };
const EMPTY: WebhookReading = { kind: "read", type: "other", payload: {}, events: [] };
const EVENT: WebhookReading = { ...EMPTY, events: [{ kind: "mail" }] };

/** Returns the index of the provider that a call is read from, and how it is read. Each provider reads it as given. */
async function read(
  readings: readonly WebhookReading[],
  { authenticated = true, signed = true }: { authenticated?: boolean; signed?: boolean } = {},
) {
  const sources = readings.map((reading, at): WebhookSource => ({
    name: String(at),
    apiKey: "",
    provider: {
      capabilities: { signedWebhooks: signed },
      readWebhook: () => Promise.resolve(reading),
    } as unknown as Provider,
  }));
  const request = {
    headers: new Headers(),
    body: new Uint8Array(),
    query: new URLSearchParams(),
    authenticated,
  };
  const found = await readFrom(sources as [WebhookSource, ...WebhookSource[]], request);
  return [Number(found.source.name), found.reading];
}

Deno.test("a webhook call is from the first provider that finds an event in it, or else from the first that accepts it", async () => {
  assert.deepEqual(await read([EMPTY, EVENT, EVENT]), [1, EVENT]);
  assert.deepEqual(await read([UNAUTHORIZED, MALFORMED, EMPTY]), [1, MALFORMED]);
  assert.deepEqual(await read([EMPTY, UNAUTHORIZED, MALFORMED]), [0, EMPTY]);
  assert.deepEqual(await read([UNAUTHORIZED, UNAUTHORIZED]), [0, UNAUTHORIZED]);
});

Deno.test("a call without a credential is read by no provider that signs nothing", async () => {
  assert.deepEqual(await read([EVENT], { authenticated: false }), [0, EVENT]);
  assert.deepEqual(await read([EVENT], { authenticated: false, signed: false }), [0, UNAUTHORIZED]);
  assert.deepEqual(await read([EVENT], { signed: false }), [0, EVENT]);
});

import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { stubProvider } from "../../../dev/testing/stub_provider.ts";
import { limitationsOf } from "./limitations.ts";
import type { Capabilities } from "./capabilities.ts";

const { capabilities: all } = stubProvider(new ManualClock());

Deno.test("a provider with every capability has no limitations", () => {
  assert.deepEqual(limitationsOf(all), []);
});

/**
 * With one of the two listings, the poll is fast. Webhooks also work without a signature or a probe, and emails without
 * a check of their templates.
 */
const NOT_ALONE = ["listsChanged", "listsUnconfirmed", "signedWebhooks", "probesWebhook", "templates"];
const names = Object.entries(all).filter(([, value]) => typeof value === "boolean").map(([name]) => name)
  .filter((name) => !NOT_ALONE.includes(name));
for (const name of names) {
  Deno.test(`a provider without the capability ${name} has one limitation`, () => {
    assert.equal(limitationsOf({ ...all, [name]: false } as Capabilities).length, 1);
  });
}

Deno.test("a provider that stores no custom properties has one limitation", () => {
  assert.equal(limitationsOf({ ...all, properties: false }).length, 1);
});

Deno.test("a provider without double opt-in has one limitation", () => {
  assert.equal(limitationsOf({ ...all, optIn: "none" }).length, 1);
});

Deno.test("a provider with neither listing has one limitation", () => {
  assert.equal(limitationsOf({ ...all, listsChanged: false, listsUnconfirmed: false }).length, 1);
});

import assert from "node:assert/strict";
import { sharedBlockers, type SharedState } from "./opening_rules.ts";

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2030, 0, 8);
const FRESH: SharedState = { closedAt: NaN, otherOpen: false };

Deno.test("nothing keeps a form closed while no other is open and none was closed", () => {
  assert.deepEqual(sharedBlockers(FRESH, 24, NOW), []);
  assert.deepEqual(sharedBlockers({ ...FRESH, closedAt: 0 }, 24, NOW), []);
});

Deno.test("the quiet period begins with the last close of any form, and ends to the millisecond", () => {
  const closedAt = NOW - 24 * HOUR_MS;
  assert.deepEqual(sharedBlockers({ ...FRESH, closedAt }, 24, NOW), []);
  assert.deepEqual(sharedBlockers({ ...FRESH, closedAt: closedAt + 1 }, 24, NOW), ["quiet"]);
  assert.deepEqual(sharedBlockers({ ...FRESH, closedAt: NOW }, 24, NOW), ["quiet"]);
  assert.deepEqual(sharedBlockers({ ...FRESH, closedAt: NOW }, 0, NOW), []);
  assert.deepEqual(sharedBlockers({ ...FRESH, closedAt: NOW }, undefined, NOW), []);
});

Deno.test("a close in the future does not keep a form closed for years after the clock was set back", () => {
  assert.deepEqual(sharedBlockers({ ...FRESH, closedAt: NOW + 1 }, 24, NOW), []);
});

Deno.test("a form waits while another one is open", () => {
  assert.deepEqual(sharedBlockers({ closedAt: NOW, otherOpen: true }, 24, NOW), ["quiet", "other-form"]);
  assert.deepEqual(sharedBlockers({ ...FRESH, otherOpen: true }, 24, NOW), ["other-form"]);
});

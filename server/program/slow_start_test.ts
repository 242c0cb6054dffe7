/** When much work is due at once, calls to the provider begin at five per second. */
import assert from "node:assert/strict";
import { eventually } from "../../dev/testing/eventually.ts";
import { type Harness, harness, LIST } from "../../dev/testing/harness.ts";
import { stubTrouble } from "../../dev/testing/stub_provider.ts";
import { createServices, type Services } from "./services.ts";
import type { SettingsStore } from "../settings/store/store.ts";

/** After which calls are no longer slowed down. */
const RAMP_MS = 16_000;

/** Makes 20 calls together. @returns how many were sent in the first second, after which all are */
async function sentInASecond(app: Harness, { provider } = app.services): Promise<number> {
  const { clock, callClock } = app;
  const before = app.provider.calls.length;
  const sent = () => app.provider.calls.length - before;
  const calls = Array.from(
    { length: 20 },
    (_, n) => provider.status({ list: LIST, email: `p${n}@example.com` }),
  );
  const settled = () =>
    eventually("each call is sent or waits for a time", () => sent() + clock.sleeping === calls.length);
  await settled();
  for (let passed = 0; passed < 990; passed += 90) {
    await clock.advance(90);
    await settled();
  }
  const first = sent();
  await callClock.passDuring(Promise.all(calls));
  await clock.advance(RAMP_MS);
  return first;
}

function anotherProcess(app: Harness, settings: SettingsStore = app.services.settings): Services {
  const providerNamed = () => app.provider;
  return createServices({ ...app.services, settings, provider: app.provider, providerNamed });
}

Deno.test("calls begin slowly after an activation, in the process that made it and in others", async () => {
  await using app = await harness();
  const other = anotherProcess(app);
  const { activation } = app.services;
  assert.equal(await sentInASecond(app), 20);
  await activation.deactivate();
  await other.activation.refresh();
  await activation.activate();
  await other.activation.refresh();
  assert.equal(await sentInASecond(app), 5);
  assert.equal(await sentInASecond(app), 20, "and soon as fast as ever");
  await activation.activate();
  assert.equal(await sentInASecond(app), 20, "it was active");
  await other.activation.refresh();
  await activation.deactivate();
  await other.activation.refresh();
  await activation.activate();
  await other.activation.refresh();
  assert.equal(await sentInASecond(app, other), 5);
});

Deno.test("calls begin slowly after an outage of the provider", async () => {
  await using app = await harness();
  const { provider } = app.services;
  const status = () => provider.status({ list: LIST, email: "ada@example.com" });
  app.provider.nextResults.status.push(...Array.from({ length: 3 }, () => stubTrouble()));
  for (let n = 0; n < 4; n++) await status();
  assert.equal(await sentInASecond(app), 5);
});

Deno.test("a provider that is chosen a minute after a slow start is called as fast as ever", async () => {
  await using app = await harness({ others: {} });
  const { settings } = app.services;
  let provider: "sandbox" | "kit" = "sandbox";
  const services = anotherProcess(app, {
    ...settings,
    current: () => ({ ...settings.current(), general: { ...settings.current().general, provider } }),
  });
  services.startSlowly();
  assert.equal(await sentInASecond(app, services), 5);
  provider = "kit";
  assert.equal(await sentInASecond(app, services), 20);
});

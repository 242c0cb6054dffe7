import assert from "node:assert/strict";
import type { SubscribeResult } from "../../providers/port/port.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { encryptQuery } from "../frame/encrypted_query.ts";
import { type AdminHarness, adminHarness } from "../../../dev/testing/admin_harness.ts";

/** What a signup's page says about a provider that cannot do everything. */

const ADA = "ada@example.com";

/** Returns the page of a signup to which the provider responded with this. */
async function pageAfter(
  result: SubscribeResult,
  without?: "showsPending" | "reactivation",
): Promise<string> {
  await using app = await adminHarness();
  if (without) app.provider.capabilities[without] = false;
  app.provider.nextResults.subscribe.push(result);
  assert.equal((await (await app.post({ email: ADA })).json()).code, "pending", "the neutral response");
  await app.work();
  const admin = await app.signIn();
  const query = await encryptQuery(app.services, [["email", ADA], ["list", LIST]]);
  return (await admin.page(`/subscriber${query}`)).html;
}

Deno.test("if only the provider's form accepts an address again, its page links to that form", async () => {
  const html = await pageAfter({ kind: "elsewhere", url: "https://forms.example/join" });
  assert.match(html, /only through its own form/);
  assert.match(html, /<a href="https:\/\/forms\.example\/join"/);
  const hostile = await pageAfter({ kind: "elsewhere", url: "javascript:alert(1)" });
  assert.match(hostile, /only through its own form/);
  assert.doesNotMatch(hostile, /javascript:/);
});

Deno.test("somebody who left can be resubscribed only if the provider can do it; otherwise the page says so", async () => {
  assert.match(await pageAfter({ kind: "left" }), /Resubscribe this person/);
  const html = await pageAfter({ kind: "left" }, "reactivation");
  assert.doesNotMatch(html, /Resubscribe this person/);
  assert.match(html, /This provider cannot resubscribe people\./);
});

Deno.test("at a provider that does not show pending subscribers, the page says that pending is what cfbe knows", async () => {
  assert.doesNotMatch(await pageAfter({ kind: "accepted" }), /As far as cfbe knows/);
  assert.match(await pageAfter({ kind: "accepted" }, "showsPending"), /As far as cfbe knows/);
});

Deno.test("a person without a coupon is told the real reason: a failed signup, or a confirmation while coupons were off", async () => {
  const on = { general: { modules: { coupons: true } } };
  for (const known of ["bounced", "suppressed", "unsubscribed"] as const) {
    await using app = await adminHarness({ settings: on });
    app.provider.put(LIST, ADA, known);
    await (await app.post({ email: ADA })).body?.cancel();
    await app.work();
    assert.match(
      await pageOf(app),
      /None\. Only people who confirm get one, and their signup failed\./,
      known,
    );
  }
  await using app = await adminHarness();
  await (await app.post({ email: ADA })).body?.cancel();
  await app.work();
  app.provider.put(LIST, ADA, "active");
  await app.services.poll.run();
  await app.services.settings.save("general", { modules: { coupons: true } });
  // The provider now says that the person is subscribed already.
  await (await app.post({ email: ADA })).body?.cancel();
  await app.work();
  assert.match(await pageOf(app), /None\. Only people who confirm while coupons are on get one\./);
});

async function pageOf(app: AdminHarness): Promise<string> {
  const query = await encryptQuery(app.services, [["email", ADA], ["list", LIST]]);
  return (await (await app.signIn()).page(`/subscriber${query}`)).html;
}

Deno.test("a person who was subscribed before gets no coupon for that reason, also while coupons are on", async () => {
  await using app = await adminHarness({ settings: { general: { modules: { coupons: true } } } });
  app.provider.put(LIST, ADA, "active");
  await (await app.post({ email: ADA })).body?.cancel();
  await app.work();
  const admin = await app.signIn();
  const query = await encryptQuery(app.services, [["email", ADA], ["list", LIST]]);
  const { html } = await admin.page(`/subscriber${query}`);
  assert.match(html, /None\. They were subscribed before they signed up/);
  assert.doesNotMatch(html, /while coupons are on/);
});

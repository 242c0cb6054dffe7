import assert from "node:assert/strict";
import { NAMESPACE } from "../../../shared/contract.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { signFormConfig } from "../../forms/public/signed_config.ts";

const settings = { forms: { forms: [{ name: "footer" }, { name: "hero", layout: "promo" }] } };

async function noteCounts(app: Harness, entry: string): Promise<Record<string, number>> {
  const days = await app.services.counters.days(0, Infinity);
  const found: Record<string, number> = {};
  for (const { form, entries } of days) {
    const count = entries[`note.${entry}`];
    if (count !== undefined) found[form] = (found[form] ?? 0) + count;
  }
  return found;
}

Deno.test("a form view counts under the form's name only if the form is configured or is one of the four sources", async () => {
  await using app = await harness({ settings });
  const requestToken = async (query: string, init: RequestInit = {}) => {
    const response = await app.fetch(`${NAMESPACE}/form-token${query}`, init);
    await response.body?.cancel();
    assert.equal(response.status, 200);
  };
  for (const form of ["footer", "footer", "hero", "popup", "no-such", "-", "%00", "__proto__"]) {
    await requestToken(`?form=${form}`);
  }
  await requestToken("");
  await requestToken("?form=");
  await requestToken("?form=&1763708752000");
  await requestToken("?form=footer&form=hero");
  await requestToken("?form=footer", { method: "HEAD" });
  assert.deepEqual(await noteCounts(app, "seen"), { footer: 3, hero: 1, popup: 1, "-": 4 });
  assert.equal((await app.services.counters.totals())["requests"], undefined);
});

Deno.test("a preview in this admin does not count as a form view, but another site's admin does", async () => {
  await using app = await harness({ settings });
  for (
    const referer of [
      "http://news.example/admin/preview?form=footer",
      "https://shop.example/admin/preview",
      "http://news.example/",
    ]
  ) {
    const response = await app.fetch(`${NAMESPACE}/form-token?form=footer`, { headers: { referer } });
    await response.body?.cancel();
  }
  assert.deepEqual(await noteCounts(app, "seen"), { footer: 2 });
});

Deno.test("opening a form page counts as a form view", async () => {
  await using app = await harness({ settings });
  for (const path of ["/form/footer", "/form/hero", "/form", "/form/gone"]) {
    await (await app.fetch(path)).body?.cancel();
  }
  assert.deepEqual(
    await noteCounts(app, "seen"),
    { footer: 1, hero: 1, shortcode: 1 },
    "a 404 page shows no form",
  );
});

const cfg = (app: Harness) => signFormConfig(app.services.keyring, { form: "footer" });
const ways: Record<string, (app: Harness, email: string) => Promise<unknown>> = {
  delivery: async (app, email) => {
    app.provider.singleOptIn.add(LIST);
    await app.post({ email, cfbe_cfg: cfg(app) });
    await app.work();
  },
  webhook: async (app, email) => {
    await app.post({ email, cfbe_cfg: cfg(app) });
    await app.work();
    app.provider.put(LIST, email, "active");
    const subscription = { email, status: "active", subscriberList: { _id: LIST } };
    await app.hook({ type: "subscribe", subscription });
    await app.work();
  },
  automation: async (app, email) => {
    await app.post({ email, cfbe_cfg: cfg(app) });
    await app.work();
    app.provider.put(LIST, email, "active");
    await app.hook({ automationId: "a", contactId: "c", contact: { email } });
    await app.work();
  },
  poll: async (app, email) => {
    await app.post({ email, cfbe_cfg: cfg(app) });
    await app.work();
    app.provider.put(LIST, email, "active");
    await app.services.poll.run();
  },
};
for (const [by, confirm] of Object.entries(ways)) {
  Deno.test(`a signup that becomes active by ${by} counts as one confirmation of its form`, async () => {
    await using app = await harness({ settings });
    await confirm(app, "ann@example.com");
    assert.equal((await app.record("ann@example.com"))?.confirmed?.by, by);
    await app.services.poll.run();
    await app.post({ email: "ann@example.com", cfbe_cfg: cfg(app) });
    await app.work();
    assert.deepEqual(await noteCounts(app, `confirmed.${by}`), { footer: 1 });
  });
}

Deno.test("a signup of an existing subscriber does not count as a confirmation", async () => {
  await using app = await harness({ settings });
  app.provider.put(LIST, "ann@example.com", "active");
  await app.post({ email: "ann@example.com" });
  await app.work();
  assert.equal((await app.record("ann@example.com"))?.status, "active");
  assert.deepEqual(await noteCounts(app, "confirmed.delivery"), {});
});

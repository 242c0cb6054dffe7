import assert from "node:assert/strict";
import { NAMESPACE } from "../../shared/contract.ts";
import { type Harness, harness, LIST } from "../testing/harness.ts";
import { signFormConfig } from "../signup/form/signed_config.ts";

const settings = { forms: { forms: [{ name: "footer" }, { name: "hero", layout: "promo" }] } };

async function noteCounts(b: Harness, entry: string): Promise<Record<string, number>> {
  const days = await b.services.counters.days(0, Infinity);
  const found: Record<string, number> = {};
  for (const { form, count } of days.filter((each) => each.entry === `note.${entry}`)) {
    found[form] = (found[form] ?? 0) + count;
  }
  return found;
}

Deno.test("a form view counts under the form's name only if the form is configured or is one of the four sources", async () => {
  await using b = await harness({ settings });
  const ask = async (query: string, init: RequestInit = {}) => {
    const response = await b.fetch(`${NAMESPACE}/form-token${query}`, init);
    await response.body?.cancel();
    assert.equal(response.status, 200);
  };
  for (const form of ["footer", "footer", "hero", "popup", "no-such", "-", "%00", "__proto__"]) {
    await ask(`?form=${form}`);
  }
  await ask("");
  await ask("?form=");
  await ask("?form=&1763708752000");
  await ask("?form=footer&form=hero");
  await ask("?form=footer", { method: "HEAD" });
  assert.deepEqual(await noteCounts(b, "seen"), { footer: 3, hero: 1, popup: 1, "-": 4 });
  assert.equal((await b.services.counters.totals())["requests"], undefined);
});

Deno.test("a preview in this admin does not count as a form view, but another site's admin does", async () => {
  await using b = await harness({ settings });
  for (
    const referer of [
      "http://news.example/admin/preview?form=footer",
      "https://shop.example/admin/preview",
      "http://news.example/",
    ]
  ) {
    const response = await b.fetch(`${NAMESPACE}/form-token?form=footer`, { headers: { referer } });
    await response.body?.cancel();
  }
  assert.deepEqual(await noteCounts(b, "seen"), { footer: 2 });
});

Deno.test("opening a form page counts as a form view", async () => {
  await using b = await harness({ settings });
  for (const path of ["/form/footer", "/form/hero", "/form", "/form/gone"]) {
    await (await b.fetch(path)).body?.cancel();
  }
  assert.deepEqual(
    await noteCounts(b, "seen"),
    { footer: 1, hero: 1, shortcode: 1 },
    "a 404 page shows no form",
  );
});

const cfg = (b: Harness) => signFormConfig(b.services.keyring, { form: "footer" });
const ways: Record<string, (b: Harness, email: string) => Promise<unknown>> = {
  delivery: async (b, email) => {
    b.provider.singleOptIn.add(LIST);
    await b.post({ email, cfbe_cfg: cfg(b) });
    await b.work();
  },
  webhook: async (b, email) => {
    await b.post({ email, cfbe_cfg: cfg(b) });
    await b.work();
    b.provider.put(LIST, email, "active");
    const subscription = { email, status: "active", subscriberList: { _id: LIST } };
    await b.hook({ type: "subscribe", subscription });
    await b.work();
  },
  automation: async (b, email) => {
    await b.post({ email, cfbe_cfg: cfg(b) });
    await b.work();
    b.provider.put(LIST, email, "active");
    await b.hook({ automationId: "a", contactId: "c", contact: { email } });
    await b.work();
  },
  poll: async (b, email) => {
    await b.post({ email, cfbe_cfg: cfg(b) });
    await b.work();
    b.provider.put(LIST, email, "active");
    await b.services.poll.run();
  },
};
for (const [by, confirm] of Object.entries(ways)) {
  Deno.test(`a signup that becomes active by ${by} counts as one confirmation of its form`, async () => {
    await using b = await harness({ settings });
    await confirm(b, "ann@example.com");
    assert.equal((await b.record("ann@example.com"))?.confirmed?.by, by);
    await b.services.poll.run();
    await b.post({ email: "ann@example.com", cfbe_cfg: cfg(b) });
    await b.work();
    assert.deepEqual(await noteCounts(b, `confirmed.${by}`), { footer: 1 });
  });
}

Deno.test("a signup of an existing subscriber does not count as a confirmation", async () => {
  await using b = await harness({ settings });
  b.provider.put(LIST, "ann@example.com", "active");
  await b.post({ email: "ann@example.com" });
  await b.work();
  assert.equal((await b.record("ann@example.com"))?.status, "active");
  assert.deepEqual(await noteCounts(b, "confirmed.delivery"), {});
});

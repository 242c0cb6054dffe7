import assert from "node:assert/strict";
import { pages } from "../page_registry.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { ROLES } from "../auth/capability.ts";

/** Settings with which the pages have most of their buttons. */
const settings = {
  general: {
    modules: { coupons: true, carts: true },
    knownLists: [{ id: "list-1", name: "News", doubleOptIn: true }],
  },
};

for (const role of ROLES) {
  Deno.test(`no page shows a button that the role ${role} cannot use`, async () => {
    await using app = await adminHarness({ settings });
    const { forms } = { forms: [{ name: "footer", interests: [{ tag: "tea", label: "Tea" }] }] };
    await app.services.settings.save("forms", { forms });
    app.provider.subscribe = () => Promise.reject(new Error("down"));
    await (await app.post({ email: "ada@example.com" })).body?.cancel();
    const [job] = await app.queue.claim(1);
    await app.queue.finish(job!, { kind: "retry", reason: "HTTP 503", retryAfterMs: 60_000 });
    const user = await app.signIn(role);
    for (const path of [...pages.map((page) => page.path), "/form-settings?form=footer"]) {
      const { status, html } = await user.page(path);
      if (status === 403) continue;
      for (const [, form] of html.matchAll(/<fieldset class="plain" disabled>(.*?)<\/fieldset><\/form>/gs)) {
        assert.doesNotMatch(form!, /<button/, path);
        assert.match(
          form!,
          /<(?:input(?! type="hidden")|select|textarea|p)/,
          `${path}: a form that shows nothing`,
        );
      }
    }
  });
}

Deno.test("a page that a role can only read says once who can change it", async () => {
  await using app = await adminHarness({ settings });
  const saysWho = async (role: "support" | "viewer" | "admin", path: string) =>
    (await (await app.signIn(role)).page(path)).html.match(/[Oo]nly admins[^.<]*/g) ?? [];
  for (
    const path of ["/general", "/webhooks", "/checkout", "/carts", "/orders", "/coupon", "/privacy", "/jobs"]
  ) {
    assert.equal((await saysWho("support", path)).length, 1, path);
    assert.ok((await saysWho("viewer", path)).length >= 1, path);
    assert.deepEqual(await saysWho("admin", path), [], path);
  }
});

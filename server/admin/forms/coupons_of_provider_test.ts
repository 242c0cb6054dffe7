import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { formFromReady } from "../../forms/ready/ready_forms.ts";

for (const coupons of [false, true]) {
  Deno.test(`with a provider that can't send coupons, the form for coupons asks for one code for everybody, also while coupons are ${coupons ? "on" : "off"}`, async () => {
    for (const provider of ["sandbox", "kit"]) {
      const canSend = provider === "sandbox";
      await using app = await adminHarness({
        settings: { general: { provider, modules: { coupons } } } as never,
      });
      const { settings } = app.services;
      const made = { name: "club", title: "Club", now: 0 };
      const { form } = formFromReady(settings.current(), "coupon-popup", made);
      await settings.save("forms", { forms: [form] });
      const admin = await app.signIn();
      const [start, editor] = await Promise.all(
        ["/new-form?from=coupon-popup", "/form-settings?form=club"].map(async (path) =>
          (await admin.page(path)).html
        ),
      );
      const asks = !(canSend && coupons);
      assert.equal(start!.includes("Discount code for everybody"), asks);
      assert.equal(editor!.includes("promises a discount code, but nobody gets one"), asks);
      for (const html of [start!, editor!]) {
        assert.equal(html.includes("Kit cannot send each subscriber a code of their own."), !canSend);
        assert.equal(html.includes("get a coupon by email"), canSend && coupons);
        assert.equal(html.includes("connect your shop"), canSend && !coupons);
      }
    }
  });
}

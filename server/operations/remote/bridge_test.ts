import assert from "node:assert/strict";
import { harness } from "../../../dev/testing/harness.ts";
import { bridgeFacts } from "./bridge.ts";

Deno.test("a site's plugin learns which forms, lists and modules cfbe has, what each form needs, and no secret", async () => {
  await using app = await harness({
    settings: {
      general: {
        knownLists: [{ id: "65f0", name: "News" }],
        defaultList: "65f0",
        modules: { carts: true },
      },
      forms: {
        forms: [
          { name: "footer" },
          { name: "long", nameField: "required", consent: "required", consentText: "I agree" },
          { name: "draft", status: "draft" },
        ],
      },
      checkout: { shop: "woocommerce", secret: "a secret that nobody may see" },
    },
  });
  const facts = bridgeFacts(app.services);
  assert.deepEqual(facts, {
    forms: [{ name: "footer", needs: [] }, { name: "long", needs: ["name"] }],
    needs: [],
    lists: [{ id: "65f0", name: "News" }],
    defaultList: "65f0",
    modules: { carts: true, checkout: false },
    shop: { kind: "woocommerce", hasSecret: true },
  });
  assert.doesNotMatch(JSON.stringify(facts), /nobody may see/);
});

import assert from "node:assert/strict";
import { savedText } from "./saved_text.ts";

Deno.test("the message after a save names what the page has saved, wherever the settings are stored", () => {
  const turned = (after: string) => [{ path: "modules.coupons", before: "off", after }];
  assert.equal(savedText("general", ["modules"], turned("on")), "Coupons turned on.");
  assert.equal(savedText("general", ["modules"], turned("off")), "Coupons turned off.");
  assert.equal(savedText("general", ["defaultList"], []), "Default list saved.");
  assert.equal(savedText("general", ["apiKey", "projectId"], []), "Provider settings saved.");
  assert.equal(
    savedText("general", ["origins", "timeZone", "modules"], turned("on")),
    "General settings saved.",
  );
  assert.equal(savedText("checkout", ["secret"], []), "Checkout settings saved.");
});

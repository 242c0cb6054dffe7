import assert from "node:assert/strict";
import { SettingsSchema } from "../../../settings/schema.ts";
import { checkPopup } from "./popup_checks.ts";

function blockingRules(address: string, popup: Record<string, unknown> = {}, origins: string[] = []) {
  const settings = SettingsSchema.parse({ popup: { enabled: true, ...popup }, general: { origins } });
  const checks = checkPopup(settings, address, 0);
  return checks?.filter(({ result }) => result === "blocks").map(({ rule }) => rule);
}

Deno.test("a page is checked by the widget's own popup rules", () => {
  assert.deepEqual(blockingRules("https://shop.example/blog"), []);
  assert.deepEqual(blockingRules("https://shop.example/blog", { enabled: false }), ["Enabled"]);
  assert.deepEqual(blockingRules("https://shop.example/de/my-account/orders"), [
    "Cart, checkout and account pages",
  ]);
  assert.deepEqual(blockingRules("https://shop.example/#/cart"), ["Cart, checkout and account pages"]);
  assert.deepEqual(blockingRules("https://shop.example/danke/a", { excludePaths: ["/danke"] }), [
    "Excluded paths",
  ]);
  assert.deepEqual(blockingRules("https://other.example/", {}, ["https://shop.example"]), ["Origin"]);
});

Deno.test("a URL that is not http or https is not checked", () => {
  for (const url of ["", "shop.example", "javascript:alert(1)", "mailto:a@b.example"]) {
    assert.equal(blockingRules(url), undefined);
  }
});

import assert from "node:assert/strict";
import { SettingsSchema } from "../settings/schema.ts";
import { whyNoPopup } from "./popup_why.ts";

function held(address: string, popup: Record<string, unknown> = {}, origins: string[] = []) {
  const settings = SettingsSchema.parse({ popup: { enabled: true, ...popup }, general: { origins } });
  const answers = whyNoPopup(settings, address, 0);
  return answers?.filter(({ answer }) => answer === "holds").map(({ rule }) => rule);
}

Deno.test("an address is judged by the rules that the widget itself goes by", () => {
  assert.deepEqual(held("https://shop.example/blog"), []);
  assert.deepEqual(held("https://shop.example/blog", { enabled: false }), ["Switched on"]);
  assert.deepEqual(held("https://shop.example/de/my-account/orders"), ["Cart, checkout, account"]);
  assert.deepEqual(held("https://shop.example/#/cart"), ["Cart, checkout, account"]);
  assert.deepEqual(held("https://shop.example/danke/a", { excludePaths: ["/danke"] }), ["Excluded paths"]);
  assert.deepEqual(held("https://other.example/", {}, ["https://shop.example"]), ["Origin"]);
});

Deno.test("what is no address of a page is told apart", () => {
  for (const address of ["", "shop.example", "javascript:alert(1)", "mailto:a@b.example"]) {
    assert.equal(held(address), undefined);
  }
});

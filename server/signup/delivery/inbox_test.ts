import assert from "node:assert/strict";
import { inboxOf } from "./inbox.ts";

Deno.test("the spellings of one inbox at large providers share one mail budget, and other addresses keep their own", () => {
  const inboxes = [
    ["victim@proton.me", "v.ictim@pm.me", "v-ictim@protonmail.com", "V_ictim+a@protonmail.ch"],
    ["ada@icloud.com", "ada@me.com", "ada+x@mac.com"],
    ["a.da@icloud.com"],
    ["ada@yandex.ru", "ada@ya.ru", "ada@yandex.com", "ada+x@yandex.com.tr"],
    ["ada@yandex-team.ru"],
    ["ada@fastmail.com", "shop@ada.fastmail.com", "ada+x@fastmail.com"],
    ["ada@fastmail.fm", "x@ada.fastmail.fm"],
    ["ada_b@fastmail.com", "x@ada-b.fastmail.com"],
    ["ada@yahoo.com", "ada-shop@yahoo.com", "Ada-x-y@yahoo.com"],
    ["ada@yahoo.co.uk"],
    ["ada.b@gmail.com", "adab@googlemail.com"],
    ["ada-shop@example.com"],
    ["a.b@example.com"],
    ["ada@notproton.me"],
    ["---@proton.me"],
    ["-ada@yahoo.com"],
  ];
  assert.deepEqual(inboxes.map((spellings) => new Set(spellings.map(inboxOf)).size), inboxes.map(() => 1));
  assert.equal(new Set(inboxes.map(([address]) => inboxOf(address!))).size, inboxes.length);
});

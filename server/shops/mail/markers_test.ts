import assert from "node:assert/strict";
import { couponKey } from "../coupons/row.ts";
import { createKeyring } from "../../platform/keys/keyring.ts";
import { confirmationMarker } from "../../signup/delivery/confirmation_marker.ts";
import { createMarkers } from "./markers.ts";

Deno.test("every once-only marker keeps its key, so that nothing is repeated after an upgrade", () => {
  const keyring = createKeyring(["a salt that is long enough for this"]);
  const markers = createMarkers(keyring);
  const found = [
    markers.orderSeen("o"),
    markers.orderSignup("o"),
    markers.orderMailed("o", "processing"),
    markers.sessionOrdered("c"),
    markers.mailboxOrdered("m"),
    markers.cartMailed("c"),
    markers.mailboxMailed("m"),
    couponKey("m"),
    markers.couponMailed("m"),
    markers.erased("p"),
    markers.cartMailOptOut("m"),
  ].map(([, , family, ...rest]) => [family, ...rest].join(" "));
  assert.deepEqual(found, [
    "mark order o",
    "mark order_signup o",
    "mark order_mailed_processing o",
    "mark session_ordered c",
    "mark mailbox_ordered m",
    "mark cart_mailed c",
    "mark mailbox_mailed m",
    "mark coupon m",
    "mark coupon_mailed m",
    "mark erased p",
    "mark no_cart_mail m",
  ]);
  const mailbox = markers.mailbox("ada@example.com");
  assert.deepEqual(confirmationMarker(keyring, "ada@example.com"), [
    "s",
    "main",
    "mark",
    "confirmation",
    mailbox,
  ]);
});

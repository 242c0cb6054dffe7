import assert from "node:assert/strict";
import { createKeyring } from "../keys/keyring.ts";
import { createPolicies, type Policy } from "./policies.ts";

const created = () => createPolicies(createKeyring(["a salt for tests, long enough to be one"]));

Deno.test("every limit has its own count for every subject", () => {
  const { site, ...policies } = created();
  const seen = new Map([[JSON.stringify(site(30, ["a", "a"])!.key), "site"]]);
  for (const [name, policyOf] of Object.entries<(one: string, other: string) => Policy>(policies)) {
    const subjects = policyOf.length === 2 ? [["a", "a"], ["b", "a"], ["a", "b"]] : [["a", ""], ["b", ""]];
    for (const [one, other] of subjects) {
      const key = JSON.stringify(policyOf(one!, other!).key);
      assert.equal(seen.get(key), undefined, `${name} of ${one} ${other}`);
      seen.set(key, `${name} of ${one} ${other}`);
    }
  }
  assert.ok(seen.size > 20);
});

Deno.test("a log has the same key in every version, so that an upgrade resets no limit", () => {
  const { site, ...policies } = created();
  const names = Object.entries<(one: string, other: string) => Policy>(policies).map(([member, policyOf]) => {
    const { name, key } = policyOf("a", "b");
    assert.deepEqual(key.slice(0, -1), ["s", "main", "log", name]);
    return [member, name];
  });
  assert.deepEqual(Object.fromEntries(names), {
    ip: "ip",
    mailbox: "mailbox",
    hookIp: "hook_ip",
    cartEmailIp: "cart_email_ip",
    cartEmailMailbox: "cart_email_mailbox",
    confirmationMails: "confirmation_mails",
    cartIp: "cart_ip",
    variantSeenIp: "variant_seen_ip",
    shopIp: "shop_ip",
    wrongTokenIp: "wrong_token_ip",
    loginIp: "login_ip",
    loginUserIp: "login_user_ip",
    loginUserNetwork: "login_user_network",
    loginUser: "login_user",
    loginDevice: "login_device",
  });
  assert.equal(policies.ip("192.0.2.1").key.at(-1), "MXBRGuAf6McQ4tYcwz0ga3HYihUCMpvcwLA3v3UanS8");
  assert.deepEqual(site(30, ["a", "a"])?.key, [
    "s",
    "main",
    "log",
    "site",
    "sadOaNBYINXVVU6rpP8kJ3mvimrZLDcq1Cwh7OpaT7w",
  ]);
});

Deno.test("the site's limit counts accepted signups, has the filter's number, and is off at 0", () => {
  const { site } = created();
  assert.equal(site(0, ["a", "a"]), undefined);
  const { name, limit, countsAccepted } = site(7, ["a", "a"])!;
  assert.deepEqual({ name, limit, countsAccepted }, {
    name: "site",
    limit: { max: 7, spanMs: 60_000 },
    countsAccepted: true,
  });
});

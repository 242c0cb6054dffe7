import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createKeyring } from "../../platform/keys/keyring.ts";
import { signForSite } from "../../platform/tokens/sites/site_keys.ts";
import { readFormConfig, signFormConfig } from "./signed_config.ts";

const [FIRST, SECOND] = [
  "the first salt, long enough to be one",
  "the second salt, long enough to be one",
] as [
  string,
  string,
];
const [SITE, OTHER] = ["0123456789", "9876543210"] as [string, string];
const before = createKeyring([FIRST]);
const rotated = createKeyring([SECOND, FIRST]);
const revoked = createKeyring([SECOND], FIRST);

const sites = { isConnected: (id: string) => id === SITE };
const payloadOf = (config: object) => Buffer.from(JSON.stringify(config)).toString("base64url");

/** Returns what a site signs with the key that it got from a server. */
function signed(config: object, site = SITE, keyring = before): string {
  const payload = payloadOf(config);
  return `${payload}.${site}.${signForSite(keyring, site, "cfbe/form-config", payload)[0]}`;
}

Deno.test("what a connected site signs is read, also after a rotation, until the salt of its key is revoked", () => {
  const cfg = signed({ list: "one", tags: ["vip"], placement: "top" });
  const config = { list: "one", tags: ["vip"], placement: "top" };
  assert.deepEqual(readFormConfig(before, cfg, sites), config);
  assert.deepEqual(readFormConfig(rotated, cfg, sites), config);
  assert.equal(readFormConfig(revoked, cfg, sites), undefined);
  const fresh = signed({ list: "two" }, SITE, rotated);
  assert.deepEqual(readFormConfig(revoked, fresh, sites), { list: "two" });
});

Deno.test("a site can neither sign for another one, nor for the server, nor while it is revoked", () => {
  const cfg = signed({ list: "one" });
  const [payload, , signature] = cfg.split(".") as [string, string, string];
  const all = { isConnected: () => true };
  assert.equal(readFormConfig(before, `${payload}.${OTHER}.${signature}`, all), undefined);
  assert.equal(readFormConfig(before, `${payload}.${signature}`, all), undefined);
  assert.equal(readFormConfig(before, signed({ list: "one" }, OTHER), sites), undefined);
  assert.equal(readFormConfig(before, cfg), undefined, "nor where no site is known");
});

Deno.test("the server's own signature is none of a site", () => {
  const [payload, signature] = signFormConfig(before, { list: "one" }).split(".") as [string, string];
  assert.equal(readFormConfig(before, `${payload}.${SITE}.${signature}`, sites), undefined);
});

Deno.test("a signature for a purge is none for a form", () => {
  const payload = payloadOf({ list: "one" });
  const [signature] = signForSite(before, SITE, "cfbe/purge", payload);
  assert.equal(readFormConfig(before, `${payload}.${SITE}.${signature}`, sites), undefined);
});

Deno.test("a site sets where signups go, and neither proofs of consent nor variants of experiments", () => {
  const cfg = signed({ list: "one", consent: "h", consents: { terms: "h" }, variant: "tea:b" });
  assert.deepEqual(readFormConfig(before, cfg, sites), { list: "one" });
});

Deno.test("malformed values are none, and cost no look at a site's key", () => {
  const cfg = signed({ list: "one" });
  for (
    const value of [
      `.${cfg}`,
      `${cfg}.x`,
      cfg.replace(SITE, ""),
      cfg.replace(SITE, "__proto__"),
      cfg.replace(SITE, "constructor"),
      `${cfg.split(".")[0]}.${SITE}.`,
      "..",
      "...",
      ".",
      "",
      1,
    ]
  ) assert.equal(readFormConfig(before, value, sites), undefined, String(value));
});

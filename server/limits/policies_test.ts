import assert from "node:assert/strict";
import { createKeyring } from "../keys/keyring.ts";
import { createPolicies, type Policy } from "./policies.ts";

Deno.test("every limit has its own count for every subject", () => {
  const { site, ...policies } = createPolicies(createKeyring(["a salt for tests, long enough to be one"]));
  const seen = new Map([[JSON.stringify(site(30)!.key), "site"]]);
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

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { parseConfig } from "../../platform/config/config.ts";
import { capitalized } from "../../platform/words/capitalized.ts";
import { CAPABILITIES, ROLE_CAPABILITIES, ROLES } from "./capability.ts";

const ADMIN_PAGE = fileURLToPath(new URL("../../../docs/admin.md", import.meta.url));

Deno.test("the documentation has what each role may do, as the code has it", async () => {
  const [, section = ""] = (await Deno.readTextFile(ADMIN_PAGE)).split("\n## Roles\n");
  const [head, , ...rows] = section.split("\n").filter((line) => line.startsWith("|"))
    .slice(0, 2 + Object.keys(CAPABILITIES).length)
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  assert.deepEqual(head!.slice(2), ROLES.map(capitalized));
  const documented = rows.map(([name, , ...cells]) => [name!.replaceAll("`", ""), ...cells]);
  const declared = Object.keys(CAPABILITIES).map((capability) => [
    capability,
    ...ROLES.map((role) => ROLE_CAPABILITIES[role].includes(capability) ? "yes" : "no"),
  ]);
  assert.deepEqual(documented.toSorted(), declared.toSorted());
});

Deno.test("an identity provider's users can get every role, and no other", () => {
  const whole = {
    CFBE_OIDC_ISSUER: "https://id.example",
    CFBE_OIDC_CLIENT_ID: "a",
    CFBE_OIDC_CLIENT_SECRET: "b",
  };
  for (const role of ROLES) {
    assert.equal(parseConfig({ ...whole, CFBE_OIDC_ROLE: role }, []).oidc!.role, role);
  }
  const wrong = { ...whole, CFBE_OIDC_ROLE: "owner" };
  assert.throws(() => parseConfig(wrong, []), new RegExp(`must be .*${[...ROLES].toSorted().at(-1)}`));
});

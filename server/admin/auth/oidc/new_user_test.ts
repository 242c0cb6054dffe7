import assert from "node:assert/strict";
import { parseConfig } from "../../../platform/config/config.ts";
import { nameFromEmail, roleByClaim } from "./new_user.ts";

const ENV = {
  CFBE_OIDC_ISSUER: "https://id.example",
  CFBE_OIDC_CLIENT_ID: "a",
  CFBE_OIDC_CLIENT_SECRET: "b",
};
const oidcOf = (env: Record<string, string>) => parseConfig({ ...ENV, ...env }, []).oidc!;

Deno.test("the first value of the mapping that the claim has gives the role, and nothing else gives one", () => {
  const oidc = oidcOf({ CFBE_OIDC_ROLES: "staff-admins=admin; editors = marketer ;everybody=viewer" });
  const rows: [groups: string[], role: string | undefined][] = [
    [["editors"], "marketer"],
    [["everybody", "editors"], "marketer"],
    [["everybody", "staff-admins"], "admin"],
    [["everybody"], "viewer"],
    [[], undefined],
    [["Editors", "editor", "editors ", "admin", ""], undefined],
  ];
  for (const [groups, role] of rows) assert.equal(roleByClaim(oidc, { groups }), role, groups.join());
  assert.equal(roleByClaim(oidcOf({}), { groups: ["admin"] }), undefined);
});

Deno.test("a value of the mapping may contain what names of groups in a directory do", () => {
  const { roles } = oidcOf({
    CFBE_OIDC_ROLES: "CN=News editors,OU=Groups,DC=example=marketer\n/team/press=viewer",
  });
  assert.deepEqual(roles, [
    { value: "CN=News editors,OU=Groups,DC=example", role: "marketer" },
    { value: "/team/press", role: "viewer" },
  ]);
});

Deno.test("a mapping with another role, without a value or without need stops the start", () => {
  assert.throws(
    () => oidcOf({ CFBE_OIDC_ROLES: "editors=owner" }),
    /CFBE_OIDC_ROLES must be viewer, analyst/,
  );
  assert.throws(
    () => oidcOf({ CFBE_OIDC_ROLES: "admin" }),
    /CFBE_OIDC_ROLES must be values with their roles/,
  );
  assert.throws(
    () => oidcOf({ CFBE_OIDC_ROLE_CLAIM: "roles" }),
    /CFBE_OIDC_ROLE_CLAIM needs CFBE_OIDC_ROLES/,
  );
});

Deno.test("a user name is made of an address, and is free", () => {
  const rows: [string, string[], string][] = [
    ["Grace.Hopper@news.example", [], "grace.hopper"],
    ["grace@news.example", ["grace", "grace-2"], "grace-3"],
    ["g@news.example", [], "user-g"],
    ["ö@news.example", [], "user"],
    [`"a b"+c@news.example`, [], "a-b-c"],
    [`${"x".repeat(64)}@news.example`, [], "x".repeat(36)],
  ];
  for (const [email, taken, name] of rows) assert.equal(nameFromEmail(email, new Set(taken)), name);
});

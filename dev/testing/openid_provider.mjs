// An OpenID provider as a process: `oidc-provider` on a loopback port, with its own pages for signing in, which accept any
// name. Somebody whose name begins with `unverified-` has an address that is not verified. A login hint has
// their groups, separated by spaces. Prints `ready` once it listens.
//
// Arguments: its port, and where it sends people back to.

import process from "node:process";
import Provider from "oidc-provider";

const [port, redirectUri] = process.argv.slice(2);

/** Groups by name, as the last sign-in has said with its `login_hint`. */
const groupsOf = new Map();

const claimsOf = (id) => ({
  sub: id,
  email: id.replace(/^unverified-/, ""),
  email_verified: !id.startsWith("unverified-"),
  name: "Ann",
  ...groupsOf.has(id) && { groups: groupsOf.get(id) },
});

const provider = new Provider(`http://localhost:${port}`, {
  clients: [{
    client_id: "cfbe",
    client_secret: "a secret: with signs/of all+kinds",
    redirect_uris: [redirectUri],
  }],
  claims: { email: ["email", "email_verified"], profile: ["name", "groups"] },
  pkce: { required: () => true },
  cookies: { keys: ["a key of the tests"] },
  findAccount({ oidc: { params } }, id) {
    if (params?.login_hint) groupsOf.set(id, params.login_hint.split(" "));
    else if (params?.response_type) groupsOf.delete(id);
    return { accountId: id, claims: () => claimsOf(id) };
  },
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));

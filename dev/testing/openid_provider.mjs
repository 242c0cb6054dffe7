// An OpenID provider as a process: `oidc-provider` on a loopback port, with its own pages for signing in, which accept any
// name. Somebody whose name begins with `unverified-` has an address that is not verified. Prints `ready` once it listens.
//
// Arguments: its port, and where it sends people back to.

import process from "node:process";
import Provider from "oidc-provider";

const [port, redirectUri] = process.argv.slice(2);

const claimsOf = (id) => ({
  sub: id,
  email: id.replace(/^unverified-/, ""),
  email_verified: !id.startsWith("unverified-"),
  name: "Ann",
});

const provider = new Provider(`http://localhost:${port}`, {
  clients: [{
    client_id: "cfbe",
    client_secret: "a secret: with signs/of all+kinds",
    redirect_uris: [redirectUri],
  }],
  claims: { email: ["email", "email_verified"], profile: ["name"] },
  pkce: { required: () => true },
  cookies: { keys: ["a key of the tests"] },
  findAccount: (_context, id) => ({ accountId: id, claims: () => claimsOf(id) }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));

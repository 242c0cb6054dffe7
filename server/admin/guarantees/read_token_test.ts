import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { queries } from "../../operations/remote/queries.ts";
import { DOWNLOADS } from "../download_routes.ts";
import { SCOPE_OF } from "../auth/capability.ts";

const SECRET = "planted-secret-of-the-tests";
const PLANTED = /ada@example|Lovelace|198\.51\.100\.7|planted-secret/i;

Deno.test("a token to read gets no address, IP address, name of a subscriber or secret from anything that it reaches", async () => {
  await using app = await adminHarness({
    settings: {
      form: { consent: "optional", consentText: "Yes", nameField: "optional" },
      webhooks: { secret: SECRET, previousSecret: SECRET },
      checkout: { secret: SECRET, apiKey: SECRET, apiSecret: SECRET },
    },
  });
  for (const email of ["ada@example.com", "bounce+ada@example.com"]) {
    await (await app.post({ email, name: "Lovelace", consent: true }, { peer: "198.51.100.7" })).body
      ?.cancel();
  }
  await app.work();
  const added = await app.services.apiTokens.add({ name: "reads", scopes: ["read"], by: "ann" });
  assert(typeof added === "object");
  const sent = Object.entries(queries).filter(([, { scope }]) => scope === "read")
    .map(([name]) => ({ method: "POST", path: `/ops/${name}` }))
    .concat(
      DOWNLOADS.filter(({ capability }) => SCOPE_OF[capability] === "read")
        .flatMap(({ path }) =>
          ["footer.json", "overview.csv"].map((file) => ({
            method: "GET",
            path: `/admin${path.replace(":file", file)}`,
          }))
        ),
      [{ method: "GET", path: "/admin/preview" }, { method: "GET", path: "/ops/token" }],
    );
  let shown = 0;
  for (const { method, path } of sent) {
    const response = await app.fetch(path, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${added.token}` },
      ...(method === "POST" && { body: JSON.stringify(path === "/ops/form" ? { name: "footer" } : {}) }),
    });
    const text = await response.text();
    if (response.status === 200) shown++;
    assert.doesNotMatch(text, PLANTED, path);
  }
  assert.ok(shown >= 17, `${shown} answers`);
});

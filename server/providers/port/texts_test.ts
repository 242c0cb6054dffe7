import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { readProblems } from "../../operations/checks/registry.ts";
import { webhookText } from "../../cli/terminal/text.ts";
import { diagnose } from "../../operations/doctor/doctor.ts";
import { webhookState } from "../../operations/provider/webhook.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { PROVIDERS } from "../providers.ts";

/** Tests that the texts about a provider fit it. */

/** The providers without any webhooks, as their own documentation says. */
const WITHOUT_WEBHOOKS: readonly string[] = ["listmonk"];
const NO_ANSWER = () => Promise.reject(new TypeError("refused"));

/** Returns a page without the navigation and the limits of all providers, which are the same whichever is in use. */
function ofPage(html: string): string {
  return html.slice(html.indexOf("<main")).replace(/<summary>\d+ limits?<\/summary>[^]*?<\/details>/g, "");
}

/** Returns the services and an admin of a site with a provider whose settings are all entered. */
async function withProvider(name: keyof typeof PROVIDERS) {
  const module = PROVIDERS[name];
  const fields = Object.keys(module.fields).map((
    field,
  ) => [field, field.endsWith("Url") ? "https://l.example" : "x-us1"]);
  const app = await adminHarness({
    settings: {
      general: { ...Object.fromEntries(fields), provider: name, defaultList: LIST },
      forms: { forms: [{ name: "footer" }] },
    },
  });
  Object.assign(app.provider.capabilities, module.capabilities, { limits: {} });
  const admin = await app.signIn();
  return {
    ...app,
    admin,
    /** Everything that the admin, the doctor and the alerts say about the provider. */
    async texts(): Promise<string> {
      const pages = await Promise.all(
        ["/provider", "/webhooks", "/first-run", "/overview"].map(async (path) => {
          const { html } = await admin.page(path);
          return ofPage(html);
        }),
      );
      // Nothing is said about webhooks where no provider can send them.
      const reachable = {
        ...app.services,
        config: { ...app.services.config, baseUrl: "https://news.example" },
      };
      const { findings, reasons } = await diagnose(reachable, { fetch: NO_ANSWER });
      const entries = { "note.confirmed.poll": 9 };
      const days = (_: number, until: number) =>
        Promise.resolve([{ day: until - 1, form: "footer", entries }]);
      const counters = { ...app.services.counters, days };
      return JSON.stringify([
        pages,
        findings,
        reasons,
        await readProblems({ ...reachable, counters }, ({ overview }) => overview),
        webhookText(await webhookState(reachable)),
      ]);
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

for (const name of Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[]) {
  const { fields, title } = PROVIDERS[name];
  const hasProject = Object.values(fields).some(({ word }) => word === "project");

  Deno.test(`${title}: no text mentions what it does not have, while it works and while it rejects the key`, async () => {
    await using app = await withProvider(name);
    await app.admin.send("cfbe_test_connection", { _page: "/provider" });
    const works = await app.texts();
    app.provider.connected = { kind: "forbidden", message: "no" };
    const rejected = await (await app.admin.send("cfbe_test_connection", { _page: "/provider" })).text();
    for (const text of [works, ofPage(rejected) + await app.texts()]) {
      if (WITHOUT_WEBHOOKS.includes(name)) {
        const found = /.{60}((register|set up|check) (the|its) webhook|provider-hook|X-CFBE-Secret).{30}/i
          .exec(text);
        assert.equal(found?.[0], undefined);
      }
      if (hasProject) continue;
      assert.equal(/.{60}(project(?!Id)|allowlist).{30}/i.exec(text)?.[0], undefined);
    }
  });
}

Deno.test("a delivery that succeeds ends a failed connection test, on the Provider page and in Getting started", async () => {
  await using app = await withProvider("listmonk");
  app.provider.connected = { kind: "forbidden", message: "no" };
  await app.admin.send("cfbe_test_connection", { _page: "/provider" });
  assert.match((await app.admin.page("/provider")).html, /Connection failed/);
  await app.clock.advance(1_000);
  await (await app.post({ email: "ada@example.com" })).body?.cancel();
  await app.work();
  assert.doesNotMatch((await app.admin.page("/provider")).html, /Connection failed/);
});

import assert from "node:assert/strict";
import type { Finding } from "./finding.ts";
import type { ProviderList } from "../../providers/port/port.ts";
import { OPT_INS } from "../../providers/port/capabilities.ts";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { testConnection } from "./connection.ts";
import { loadLists } from "../provider/lists.ts";
import { optInFindings, templateFindings } from "./provider_setup.ts";

const settings = SettingsSchema.parse({ general: { defaultList: "a" }, popup: { list: "b" } });
const ids = (findings: Awaited<ReturnType<typeof templateFindings>>) =>
  "skipped" in findings ? "skipped" : findings.map(({ id }) => id);

Deno.test("double opt-in that is off is an error, one that the provider does not show a warning, for lists in use", () => {
  const lists: ProviderList[] = [
    { id: "a", name: "News" },
    { id: "b", name: "Offers", doubleOptIn: false },
    { id: "c", name: "Unused", doubleOptIn: false },
    { id: "d", name: "Unused as well" },
  ];
  for (const optIn of OPT_INS.filter((optIn) => optIn !== "none")) {
    const findings = optInFindings(settings, lists, optIn);
    assert.deepEqual(findings.map(({ id, level }) => [id, level]), [
      ["lists.single_opt_in", "error"],
      ["lists.opt_in_unknown", "warning"],
    ]);
    assert.match(findings[0]!.what, /Offers/);
    assert.match(findings[1]!.what, /on for: News\.$/);
    for (const { todo } of findings) assert.match(todo, new RegExp(`at the provider, .*${optIn}`));
  }
  assert.deepEqual(optInFindings(settings, [{ id: "a", name: "News", doubleOptIn: true }], "list"), []);
});

Deno.test("for a provider without double opt-in, every list in use is an error that says so", () => {
  const lists = [{ id: "a", name: "News", doubleOptIn: false }];
  const [finding] = optInFindings(settings, lists, "none");
  assert.match(finding!.todo, /has no double opt-in/);
});

Deno.test("a template that turns double opt-in off is said to stop signups, not to let them in unconfirmed", () => {
  const lists = [{ id: "a", name: "News", doubleOptIn: false }];
  const [finding] = optInFindings(settings, lists, "template");
  assert.match(finding!.why, /refuses every signup/);
});

Deno.test("an email template that does not exist at the provider is an error, only for modules that are on", async () => {
  await using app = await harness({
    settings: {
      general: { modules: { coupons: true, orderEmails: true } },
      coupon: { template: "welcome" },
      carts: { template: "cart" },
      orders: { templates: { completed: "thanks", refunded: "thanks" } },
    },
  });
  assert.equal(ids(await templateFindings(app.services)), "skipped", "the provider can't look up templates");
  const existing = new Set(["welcome"]);
  app.provider.capabilities.templates = true;
  app.provider.template = (id) =>
    Promise.resolve(existing.has(id) ? { kind: "found", name: id } : { kind: "absent" });
  const [finding, ...others] = await templateFindings(app.services) as Finding[];
  assert.deepEqual(others, []);
  assert.match(
    (finding as { what: string }).what,
    /template thanks, entered in orders\.templates\.completed, orders\.templates\.refunded, does/,
  );
  existing.add("thanks");
  assert.deepEqual(ids(await templateFindings(app.services)), []);
  app.provider.template = () => Promise.resolve(stubTrouble());
  assert.equal(ids(await templateFindings(app.services)), "skipped");
});

Deno.test("the connection test reports the setup at the provider, and lists whose opt-in is unknown are stored so", async () => {
  await using app = await adminHarness({ settings: { general: { projectId: "p", defaultList: "a" } } });
  app.provider.lists = () => Promise.resolve({ kind: "lists", lists: [{ id: "a", name: "News" }] });
  const report = await testConnection(app.services);
  assert.deepEqual(report.ok && ids(report.setup), ["lists.opt_in_unknown"]);
  await loadLists(app.services);
  assert.deepEqual(app.services.settings.current().general.knownLists, [{ id: "a", name: "News" }]);

  const admin = await app.signIn();
  const html = await (await admin.send("cfbe_test_connection", { _page: "/provider" })).text();
  assert.match(html, /does not show whether double opt-in is on for: News/);
  assert.match((await admin.page("/provider")).html, /not shown by the provider/);
});

import assert from "node:assert/strict";
import type { ProviderList } from "../../providers/port/port.ts";
import { OPT_INS, type OptIn } from "../../providers/port/capabilities.ts";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { stubProvider, stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { loadLists } from "../provider/lists.ts";
import { problemsIn } from "../checks/registry.ts";
import { testConnection } from "./doctor.ts";

const settings = SettingsSchema.parse({ general: { defaultList: "a" }, popup: { list: "b" } });
const { capabilities } = stubProvider(new ManualClock());
const optInProblems = (lists: ProviderList[], optIn: OptIn) =>
  problemsIn({ settings, lists, capabilities: { ...capabilities, optIn } }, ({ connection }) => connection);

Deno.test("double opt-in that is off is an error, one that the provider does not show a warning, for lists in use", () => {
  const lists: ProviderList[] = [
    { id: "a", name: "News" },
    { id: "b", name: "Offers", doubleOptIn: false },
    { id: "c", name: "Unused", doubleOptIn: false },
    { id: "d", name: "Unused as well" },
  ];
  for (const optIn of OPT_INS.filter((optIn) => optIn !== "none")) {
    const findings = optInProblems(lists, optIn);
    assert.deepEqual(findings.map(({ id, tone }) => [id, tone]), [
      ["lists.single_opt_in", "bad"],
      ["lists.opt_in_unknown", "warn"],
    ]);
    assert.match(findings[0]!.what, /Offers/);
    assert.match(findings[1]!.what, /on for: News\.$/);
    for (const { todo } of findings) assert.match(todo, new RegExp(`at the provider, .*${optIn}`));
  }
  assert.deepEqual(optInProblems([{ id: "a", name: "News", doubleOptIn: true }], "list"), []);
});

Deno.test("for a provider without double opt-in, every list in use is an error that says so", () => {
  const lists = [{ id: "a", name: "News", doubleOptIn: false }];
  const [finding] = optInProblems(lists, "none");
  assert.match(finding!.todo, /has no double opt-in/);
});

Deno.test("a template that turns double opt-in off is said to stop signups, not to let them in unconfirmed", () => {
  const lists = [{ id: "a", name: "News", doubleOptIn: false }];
  const [finding] = optInProblems(lists, "template");
  assert.match(finding!.what, /refuses every signup/);
  assert.doesNotMatch(JSON.stringify(finding), /sign up other/);
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
  const found = async () => (await testConnection(app.services)).setup;
  assert.deepEqual(await found(), [], "the provider can't look up templates");
  const existing = new Set(["welcome"]);
  app.provider.capabilities.templates = true;
  app.provider.template = (id) =>
    Promise.resolve(existing.has(id) ? { kind: "found", name: id } : { kind: "absent" });
  const [finding, ...others] = await found();
  assert.deepEqual(others, []);
  assert.match(
    finding!.what,
    /template thanks, entered in orders\.templates\.completed, orders\.templates\.refunded, does/,
  );
  existing.add("thanks");
  assert.deepEqual(await found(), []);
  app.provider.template = () => Promise.resolve(stubTrouble());
  assert.deepEqual(await found(), []);
});

Deno.test("the connection test reports the setup at the provider, and lists whose opt-in is unknown are stored so", async () => {
  await using app = await adminHarness({ settings: { general: { projectId: "p", defaultList: "a" } } });
  app.provider.lists = () => Promise.resolve({ kind: "lists", lists: [{ id: "a", name: "News" }] });
  const report = await testConnection(app.services);
  assert.deepEqual(report.setup.map(({ id }) => id), ["lists.opt_in_unknown"]);
  await loadLists(app.services);
  assert.deepEqual(app.services.settings.current().general.knownLists, [{ id: "a", name: "News" }]);

  const admin = await app.signIn();
  const html = await (await admin.send("cfbe_test_connection", { _page: "/provider" })).text();
  assert.match(html, /does not show whether double opt-in is on for: News/);
  assert.match((await admin.page("/provider")).html, /not shown by the provider/);
});

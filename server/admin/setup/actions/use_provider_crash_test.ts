/** The switch to another provider while the process dies, or somebody else saves settings. */
import assert from "node:assert/strict";
import { replaceCommits } from "../../../../dev/testing/around_commits.ts";
import { openSettings } from "../../../settings/store/store.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { LIST } from "../../../../dev/testing/harness.ts";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";
import { stubProvider } from "../../../../dev/testing/stub_provider.ts";
import { type AdminHarness, adminHarness } from "../../../../dev/testing/admin_harness.ts";

const BEFORE = { provider: "bluefox", defaultList: LIST, popup: "vip-list", vip: "vip-list", footer: "" };
const AFTER = { provider: "listmonk", defaultList: "3", popup: "4", vip: "4", footer: "" };
const CHOICE = {
  provider: "listmonk",
  defaultList: "3",
  "lists.0.from": "vip-list",
  "lists.0.to": "4",
};

/** BlueFox in use with a form and the popup on a list of their own, and listmonk with its settings. */
async function withListmonk(): Promise<AdminHarness> {
  const listmonk = stubProvider(new ManualClock());
  const lists = ["3", "4"].map((id) => ({ id, name: id, doubleOptIn: true }));
  listmonk.lists = () => Promise.resolve({ kind: "lists", lists });
  const app = await adminHarness({ others: { listmonk } });
  const { settings } = app.services;
  const own = { listmonkUrl: "https://lists.example", listmonkToken: "t" };
  await settings.save("general", { provider: "bluefox", projectId: "p", ...own });
  await settings.save("forms", { forms: [{ name: "vip", list: "vip-list" }, { name: "footer" }] });
  await settings.save("popup", { list: "vip-list" });
  return app;
}

const summaryOf = ({ general, popup, forms: { forms } }: Settings) => ({
  provider: general.provider,
  defaultList: general.defaultList,
  popup: popup.list,
  vip: forms[0]!.list,
  footer: forms[1]!.list,
});

/** Returns the settings as a new process reads them. */
async function stored({ kv, services }: AdminHarness): Promise<ReturnType<typeof summaryOf>> {
  const { keyring, random } = services;
  const fallback = { general: { apiKey: "k", defaultList: LIST } };
  return summaryOf((await openSettings({ kv, keyring, random, fixed: [], fallback })).current());
}

/** Switches, and dies at a commit: before it takes effect, or after, so that its response is lost. */
async function switchAndDie(app: AdminHarness, at: number, isBefore: boolean): Promise<boolean> {
  const admin = await app.signIn();
  let commits = 0;
  let died = false;
  const undo = replaceCommits(app.kv, async (commit) => {
    if (died) throw new Error("kill -9");
    died = ++commits === at;
    if (!died) return await commit();
    if (!isBefore) await commit();
    throw new Error("kill -9");
  });
  await (await admin.send("cfbe_use_provider", CHOICE)).body?.cancel();
  undo();
  return died;
}

Deno.test("killed at any commit of a switch, the next process has the old provider with its lists, or the new one with its lists", async () => {
  for (const isBefore of [true, false]) {
    let at = 0;
    for (let died = true; died;) {
      await using app = await withListmonk();
      assert.deepEqual(await stored(app), BEFORE);
      died = await switchAndDie(app, ++at, isBefore);
      const found = await stored(app);
      assert.deepEqual(found, found.provider === "listmonk" ? AFTER : BEFORE, `commit ${at}`);
      const { rows } = await app.services.admin.audit.list();
      const entry = rows.find(({ action, changes }) => action === "cfbe_use_provider" && changes);
      assert.equal(entry !== undefined, found.provider === "listmonk", "the audit log says whether");
      if (!died) assert.deepEqual(found, AFTER);
    }
    assert.ok(at > 1);
  }
});

Deno.test("if somebody saves a list during the switch, nothing is switched", async () => {
  await using app = await withListmonk();
  const { settings } = app.services;
  const { saveAll } = settings;
  settings.saveAll = async (...args) => {
    settings.saveAll = saveAll;
    await settings.save("popup", { list: "other-list" });
    return await saveAll(...args);
  };
  const response = await (await app.signIn()).send("cfbe_use_provider", CHOICE);
  assert.equal(response.status, 409);
  assert.deepEqual(await stored(app), { ...BEFORE, popup: "other-list" });
});

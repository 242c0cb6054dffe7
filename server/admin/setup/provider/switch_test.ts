import assert from "node:assert/strict";
import { LIST } from "../../../../dev/testing/harness.ts";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";
import { stubProvider } from "../../../../dev/testing/stub_provider.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { send, stepOn } from "./testing/setup_steps.ts";

const ADA = "ada@example.com";
const KNOWN = { id: LIST, name: "News", doubleOptIn: true };

/** BlueFox in use, and listmonk with its settings and two lists. */
async function withListmonk() {
  const listmonk = stubProvider(new ManualClock());
  listmonk.capabilities.webhook = false;
  listmonk.lists = () =>
    Promise.resolve({
      kind: "lists",
      lists: [{ id: "3", name: "Three", doubleOptIn: true }, { id: "4", name: "Four" }],
    });
  const app = await adminHarness({ others: { listmonk } });
  const { settings } = app.services;
  await settings.save("general", { provider: "bluefox", projectId: "p", knownLists: [KNOWN] });
  await settings.save("forms", { forms: [{ name: "vip", list: "vip-list" }, { name: "footer" }] });
  await settings.save("popup", { list: "vip-list" });
  return { app, listmonk, admin: await app.signIn() };
}

const CANDIDATE = "/provider?provider=listmonk";

Deno.test("another provider is entered and tested while signups go on to the old one, and takes over with its lists", async () => {
  const { app, listmonk, admin } = await withListmonk();
  await using _ = app;
  const { settings } = app.services;
  assert.deepEqual(
    await stepOn(admin, "settings", CANDIDATE),
    [
      "current",
      "Enter listmonk&#39;s URL and the API token.",
    ].map((text) => text.replace("&#39;", "'")),
  );
  await send(admin, "cfbe_save_general", {
    "fields.listmonkUrl": "https://lists.example",
    "fields.listmonkToken": "cfbe:secret-of-listmonk",
  }, CANDIDATE);
  assert.equal(settings.current().general.provider, "bluefox");
  assert.deepEqual(await stepOn(admin, "list", CANDIDATE), ["later", "Waits for step 3."]);
  await send(admin, "cfbe_test_connection", { provider: "listmonk" }, CANDIDATE);
  assert.deepEqual(await stepOn(admin, "list", CANDIDATE), [
    "current",
    "Choose a list, and switch to listmonk.",
  ]);
  await (await app.post({ email: ADA })).body?.cancel();
  const { html } = await admin.page(CANDIDATE);
  assert.match(html, /1 signup waits for delivery, and 0 people have/);
  assert.match(html, /page “Move to another provider”/);
  assert.match(html, /In place of vip-list/);
  await app.work();
  assert.match((await admin.page(CANDIDATE)).html, /0 signups wait for delivery, and 1 person has/);

  const lists = { "lists.0.from": "vip-list", "lists.0.to": "4" };
  const wrong = await send(
    admin,
    "cfbe_use_provider",
    { provider: "listmonk", defaultList: "9", ...lists },
    CANDIDATE,
  );
  assert.equal(wrong.status, 422);
  assert.match(wrong.html, /listmonk has no list 9/);
  assert.equal(settings.current().general.provider, "bluefox");
  const chosen = { provider: "listmonk", defaultList: "3", ...lists };
  assert.equal((await send(admin, "cfbe_use_provider", chosen, CANDIDATE)).to, "/admin/provider");
  const { general, forms, popup } = settings.current();
  assert.deepEqual([general.provider, general.defaultList, popup.list], ["listmonk", "3", "4"]);
  assert.deepEqual(general.knownLists.map(({ id }) => id), ["3", "4"]);
  assert.deepEqual(forms.forms.map(({ name, list }) => [name, list]), [["vip", "4"], ["footer", ""]]);
  assert.deepEqual(listmonk.calls, [], "nobody is subscribed or mailed by the switch");
  const again = await send(admin, "cfbe_use_provider", chosen);
  assert.equal(again.status, 409);
});

Deno.test("a provider that the environment sets cannot be switched, and nothing changes", async () => {
  const listmonk = stubProvider(new ManualClock());
  listmonk.lists = () => Promise.resolve({ kind: "lists", lists: [{ id: "3", name: "Three" }] });
  const general = { projectId: "p", listmonkUrl: "https://lists.example", listmonkToken: "cfbe:x" };
  const app = await adminHarness({
    env: { CFBE_PROVIDER: "bluefox" },
    settings: { general },
    others: { listmonk },
  });
  await using _ = app;
  await app.services.settings.save("popup", { list: "vip-list" });
  const admin = await app.signIn();
  const { html } = await admin.page(CANDIDATE);
  assert.match(html, /The provider is set by CFBE_PROVIDER\./);
  assert.doesNotMatch(html, /href="[^"]*provider=\w+/);
  const refused = await send(admin, "cfbe_use_provider", { provider: "listmonk", defaultList: "3" });
  assert.equal(refused.status, 422);
  assert.equal(app.services.settings.current().popup.list, "vip-list");
});

Deno.test("after the environment chose another provider, no step is done by what belongs to the one before", async () => {
  const { app, admin } = await withListmonk();
  await using _ = app;
  const { settings, provider } = app.services;
  app.provider.lists = () => Promise.resolve({ kind: "lists", lists: [KNOWN] });
  await settings.save("forms", { forms: [{ name: "footer" }] });
  await settings.save("popup", { list: "" });
  await settings.save("general", {
    defaultList: LIST,
    listmonkUrl: "https://lists.example",
    listmonkToken: "t",
  });
  await send(admin, "cfbe_test_connection");
  await send(admin, "cfbe_load_lists");
  await provider.lists();
  for (const name of ["connection", "list", "opt-in"]) {
    assert.equal((await stepOn(admin, name))[0], "done", name);
  }
  assert.match((await admin.page("/first-run")).html, /id="step-list" class="step done"/);

  await settings.save("general", { provider: "listmonk" });
  assert.deepEqual(await stepOn(admin, "connection"), ["current", "Not tested yet."]);
  await send(admin, "cfbe_test_connection");
  assert.deepEqual(await stepOn(admin, "list"), [
    "current",
    "The lists were loaded from BlueFox Email. Load those of listmonk, and choose one.",
  ]);
  assert.deepEqual(await stepOn(admin, "opt-in"), ["later", "Waits for step 4."]);
  assert.deepEqual(await stepOn(admin, "test"), ["later", "Waits for step 4."]);
  const firstRun = (await admin.page("/first-run")).html;
  assert.doesNotMatch(firstRun, /id="step-list" class="step done"/);
  assert.match(firstRun, /The known lists are those of another provider/);

  await send(admin, "cfbe_load_lists");
  assert.match(
    (await stepOn(admin, "list"))[1],
    /^The list \S+, selected in .*, does not exist at the provider\.$/,
  );
  await settings.save("general", { defaultList: "3" });
  assert.deepEqual(await stepOn(admin, "list"), ["done", "New signups go to Three."]);
});

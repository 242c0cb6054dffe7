import assert from "node:assert/strict";
import { NAMESPACE } from "../../../shared/contract.ts";
import { keys } from "../../platform/kv/keys.ts";
import { listing } from "../../platform/kv/listing.ts";
import { wrap } from "../../platform/kv/wrap.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { signTestConfig, TEST_FORM } from "../../forms/public/test_form.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { stepOn } from "./provider/testing/setup_steps.ts";
import { type Facts, firstRunFrom, firstRunOf } from "./first_run_state.ts";

const NOTHING: Facts = {
  provider: false,
  connected: false,
  defaultList: false,
  otherLists: false,
  forms: 0,
  seen: false,
  waiting: undefined,
  confirmed: false,
};

Deno.test("each step becomes the current one once the previous ones are done", () => {
  const met: Facts = { ...NOTHING };
  const next: [Partial<Facts>, string | undefined][] = [
    [{}, "provider"],
    [{ provider: true }, "connection"],
    [{ connected: true }, "list"],
    [{ defaultList: true }, "form"],
    [{ forms: 1 }, "snippet"],
    [{ seen: true }, "signup"],
    [{ waiting: { status: "pending", since: 1 } }, "signup"],
    [{ confirmed: true }, undefined],
  ];
  for (const [facts, current] of next) {
    const run = firstRunFrom(Object.assign(met, facts));
    assert.equal(run.current, current, Deno.inspect(facts));
    assert.equal(run.done, current === undefined);
    assert.equal(run.left, run.steps.filter(({ done }) => !done).length);
  }
});

Deno.test("a confirmed signup completes every step", () => {
  const run = firstRunFrom({ ...NOTHING, confirmed: true });
  assert.deepEqual([run.done, run.left, run.current], [true, 0, undefined]);
});

Deno.test("a signup without a token completes the snippet step", () => {
  const facts = { ...NOTHING, waiting: { status: "queued", since: 1 } } as const;
  assert.ok(firstRunFrom(facts).steps.some(({ name, done }) => name === "snippet" && done));
});

const settings = {
  general: { provider: "bluefox", projectId: "p", apiKey: "k" },
  forms: { forms: [{ name: "footer" }] },
};

Deno.test("setup progress comes from counters and records, until the first confirmed signup", async () => {
  await using app = await adminHarness({ settings });
  const admin = await app.signIn();
  const current = async () => (await firstRunOf(app.services)).current;
  assert.equal(await current(), "connection");
  await admin.send("cfbe_test_connection", { _page: "/first-run" });
  assert.equal(await current(), "snippet");
  await (await app.fetch(`${NAMESPACE}/form-token?form=footer`)).body?.cancel();
  assert.equal(await current(), "signup");
  await (await app.post({ email: "ann@example.com" })).body?.cancel();
  assert.match((await admin.page("/first-run")).html, /Someone has signed up/);
  await app.work();
  assert.match((await admin.page("/overview")).html, /One step left/);
  app.provider.put(LIST, "ann@example.com", "active");
  await app.services.poll.run();
  assert.equal(await current(), undefined);
  const { html } = await admin.page("/first-run");
  assert.match(html, /Your first signup is confirmed/);
  assert.doesNotMatch(html, /data-watch|http-equiv/);
  assert.doesNotMatch((await admin.page("/overview")).html, /Continue setup/);
  const rows = await Array.fromAsync(app.kv.list({ prefix: keys.all() }));
  assert.ok(!rows.some(({ key }) => /first.run/.test(key.join())), "no progress is stored");
});

Deno.test("a signup that gets another status while the page is read is not missed", async () => {
  await using app = await adminHarness({ settings });
  await (await app.post({ email: "ann@example.com" })).body?.cancel();
  async function confirm() {
    app.provider.put(LIST, "ann@example.com", "active");
    await app.services.poll.run();
  }
  // Another process has counted the confirmation, and not written it down yet.
  const counters = wrap(app.services.counters, { days: () => Promise.resolve([]) });
  async function factsIf(moves: () => Promise<unknown>, before: "queued" | "pending") {
    const kv = wrap(app.kv, {
      ...listing(async (selector, options) => {
        if ("prefix" in selector && selector.prefix.join() === keys.byStatusAll(before).join()) await moves();
        return await app.kv.page(selector, options);
      }),
    });
    return (await firstRunOf({ ...app.services, kv, counters })).facts;
  }
  assert.equal((await factsIf(() => app.work(), "queued")).waiting?.status, "pending");
  assert.equal((await factsIf(confirm, "pending")).confirmed, true);
});

Deno.test("a form on the demo page does not complete the snippet step", async () => {
  await using app = await adminHarness({ settings });
  const admin = await app.signIn();
  await admin.send("cfbe_test_connection", { _page: "/first-run" });
  app.services.counters.note("seen", TEST_FORM);
  assert.equal((await firstRunOf(app.services)).current, "snippet");
  await (await app.post({ email: "ann@example.com" })).body?.cancel();
  assert.match((await admin.page("/first-run")).html, /Somebody has signed up, so this step counts as done/);
  app.services.counters.note("seen", "footer");
  assert.match((await admin.page("/first-run")).html, /Your form has been displayed/);
});

Deno.test("a confirmed test signup completes no step, and the Overview still leads to Getting started", async () => {
  await using app = await adminHarness({ settings });
  const admin = await app.signIn();
  await admin.send("cfbe_test_connection", { _page: "/first-run" });
  const cfbe_cfg = signTestConfig(app.services.keyring, app.services.settings.current(), "footer");
  await (await app.post({ email: "ann@example.com", cfbe_cfg })).body?.cancel();
  const current = async () => (await firstRunOf(app.services)).current;
  assert.equal(await current(), "snippet");
  await app.work();
  app.provider.put(LIST, "ann@example.com", "active");
  await app.services.poll.run();
  assert.equal((await app.record("ann@example.com"))?.status, "active");
  await app.services.counters.flush();
  assert.equal(await current(), "snippet");
  assert.match((await admin.page("/overview")).html, /Continue setup/);
  // The record may be gone when the counters are read.
  for await (const { key } of app.kv.list({ prefix: keys.byStatusAll("active") })) await app.kv.delete(key);
  assert.equal(await current(), "snippet");
});

Deno.test("after the first confirmed signup, setup stays done when the person unsubscribes or is erased", async () => {
  await using app = await adminHarness({ settings });
  await (await app.post({ email: "ann@example.com" })).body?.cancel();
  await app.work();
  app.provider.put(LIST, "ann@example.com", "active");
  await app.services.poll.run();
  assert.equal((await firstRunOf(app.services)).done, true);
  for await (const { key } of app.kv.list({ prefix: keys.byStatusAll("active") })) await app.kv.delete(key);
  await app.clock.advance(400 * 86_400_000);
  const run = await firstRunOf(app.services);
  assert.deepEqual([run.done, run.left], [true, 0]);
});

Deno.test("a rejected key makes the connection the next step again", async () => {
  await using app = await adminHarness({ settings });
  const admin = await app.signIn();
  await admin.send("cfbe_test_connection", { _page: "/first-run" });
  await app.clock.advance(1);
  app.provider.connected = { kind: "forbidden", message: "no" };
  const response = await admin.send("cfbe_test_connection", { _page: "/first-run" });
  assert.match(await response.text(), /rejected the API key/);
  assert.equal((await firstRunOf(app.services)).current, "connection");
  assert.match(
    (await admin.page("/overview")).html,
    /The provider does not allow our requests: HTTP 403: no\./,
  );
});

Deno.test("the connection is tested in Getting started when it is on the Provider page, even if the lists are known from before", async () => {
  await using app = await adminHarness({
    settings: {
      general: { ...settings.general, knownLists: [{ id: LIST, name: "News", doubleOptIn: true }] },
    },
  });
  const admin = await app.signIn();
  const onBothPages = async () => {
    const { steps } = await firstRunOf(app.services);
    return [steps.find(({ name }) => name === "connection")!.done, (await stepOn(admin, "connection"))[0]];
  };
  assert.deepEqual(await onBothPages(), [false, "current"]);
  await admin.send("cfbe_test_connection", { _page: "/first-run" });
  assert.deepEqual(await onBothPages(), [true, "done"]);

  await using fresh = await adminHarness({ settings: { general: { provider: "sandbox" } } });
  const { steps } = await firstRunOf(fresh.services);
  assert.ok(steps.find(({ name }) => name === "connection")!.done, "the sandbox needs no test");
});

Deno.test("without JavaScript, a new installation is set up by forms: provider, list and form", async () => {
  await using app = await adminHarness({ configured: false, env: { CFBE_PROVIDER: "bluefox" } });
  const admin = await app.signIn();
  const send = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, { _page: "/first-run", ...fields });
    await response.body?.cancel();
    return response.status;
  };
  assert.match(
    (await admin.page("/overview")).html,
    /Signups are rejected until you enter the project and the API key/,
  );
  const project = { "fields.projectId": "p-1", "fields.apiKey": "a-key-of-the-provider" };
  assert.equal(await send("cfbe_save_general", project), 303);
  assert.equal(await send("cfbe_test_connection", {}), 200);
  assert.equal(await send("cfbe_load_lists", {}), 200);
  assert.equal(await send("cfbe_save_general", { "fields.defaultList": LIST }), 303);
  assert.equal(await send("cfbe_save_forms", { "a:fields.forms": "", "fields.forms.0.name": "footer" }), 303);
  const { html } = await admin.page("/first-run");
  assert.match(html, /&lt;cfbe-form form=&quot;footer&quot;|&lt;cfbe-form form="footer"/);
  assert.match(html, /Waiting for your first signup/);
  const { general } = app.services.settings.current();
  assert.deepEqual([general.projectId, general.apiKey, general.defaultList], [
    "p-1",
    "a-key-of-the-provider",
    LIST,
  ]);
});

Deno.test("a list without double opt-in shows a warning where it is chosen", async () => {
  const general = {
    ...settings.general,
    knownLists: [{ id: LIST, name: "News", doubleOptIn: false }],
  };
  await using app = await adminHarness({ settings: { ...settings, general } });
  const admin = await app.signIn();
  assert.match((await admin.page("/first-run")).html, /Double opt-in is off for/);
  assert.match((await admin.page("/overview")).html, /Double opt-in is off for News/);
});

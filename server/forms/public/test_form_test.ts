import assert from "node:assert/strict";
import { NAMESPACE } from "../../../shared/contract.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { signFormConfig } from "./signed_config.ts";
import { signTestConfig, TEST_FORM } from "./test_form.ts";

const settings = {
  general: { projectId: "p" },
  forms: { forms: [{ name: "footer", tags: ["vip"] }] },
};

/** An admin with one test signup, and one real signup of the same form. */
async function twoSignups() {
  const app = await adminHarness({ settings });
  const { keyring, settings: store } = app.services;
  const signUp = async (email: string, cfg: string) => {
    await (await app.post({ email, cfbe_cfg: cfg })).body?.cancel();
    await app.work();
    app.provider.put(LIST, email, "active");
    await app.services.poll.run();
  };
  await signUp("test@example.com", signTestConfig(keyring, store.current(), "footer"));
  await signUp("ann@example.com", signFormConfig(keyring, { form: "footer" }));
  return app;
}

Deno.test("test signups are left out of the Overview's figures, its forms and its CSV, and the page says how many", async () => {
  await using app = await twoSignups();
  const admin = await app.signIn();
  const { html } = await admin.page("/overview?days=7");
  assert.match(html, /1 test signup is not included in these figures/);
  assert.match(html, />Signups<[^]*?>1</);
  assert.doesNotMatch(html, new RegExp(TEST_FORM));
  const csv =
    await (await app.fetch("/admin/overview/days.csv?days=7", { headers: { cookie: admin.cookie } }))
      .text();
  assert.match(csv, /,footer,0,1,1,footer\r\n$/);
  assert.doesNotMatch(csv, new RegExp(TEST_FORM));
});

Deno.test("a test signup keeps the list and tags of its form, and is marked in its record", async () => {
  await using app = await twoSignups();
  const record = await app.record("test@example.com");
  assert.deepEqual([record?.form, record?.tags], [TEST_FORM, ["vip", "placement-test"]]);
  const { html } = await (await app.signIn()).page("/subscribers");
  assert.match(html, /Test signups/);
});

Deno.test("a confirmed signup at the link of Getting started is a test signup, and does not complete the setup", async () => {
  await using app = await adminHarness({ settings });
  const admin = await app.signIn();
  await admin.send("cfbe_test_connection", { _page: "/first-run" });
  await (await app.fetch(`${NAMESPACE}/form-token?form=footer`)).body?.cancel();
  const { html } = await admin.page("/first-run");
  const link = /href="(\/form\/footer\?cfg=[^"]+)"/.exec(html)?.[1];
  assert.ok(link, html);
  const form = await (await app.fetch(link)).text();
  const hidden = /name="cfbe_cfg" value="([^"]+)"/.exec(form)![1]!;
  await (await app.post({ email: "test@example.com", cfbe_cfg: hidden })).body?.cancel();
  await app.work();
  app.provider.put(LIST, "test@example.com", "active");
  await app.services.poll.run();
  assert.equal((await app.record("test@example.com"))?.status, "active");
  assert.match((await admin.page("/first-run")).html, /5 of 6 steps completed/);
  const { html: overview } = await admin.page("/overview?days=7");
  assert.match(overview, /1 test signup is not included/);
});

Deno.test("views and signups of the demo page are test signups, and those of its snippet are not", async () => {
  await using program = await startProgram({ run: false });
  const { counters } = program.services;
  const page = await (await fetch(`${program.baseUrl}/demo`)).text();
  const cfg = /<cfbe-form form="footer" cfg="([^"]+)"/.exec(page)![1];
  const copied = /<code data-snippet>([^]*?)<\/code>/.exec(page)![1]!;
  assert.match(copied, /form=&quot;footer&quot;/);
  assert.doesNotMatch(copied, /cfg/);
  for (const referer of ["/demo", "/demo?a=b", "/demonstration", "/"]) {
    const headers = { referer: program.baseUrl + referer };
    await (await fetch(`${program.api}/form-token?form=footer`, { headers })).body?.cancel();
  }
  await (await program.subscribe({ email: "test@example.com", cfbe_cfg: cfg })).body?.cancel();
  const counts = (await counters.days(0, Infinity)).flatMap(({ form, entries }) =>
    Object.entries(entries).map(([entry, count]) => [form, entry, count])
  );
  assert.deepEqual(
    counts.filter(([, entry]) => entry !== "requests").toSorted(),
    [[TEST_FORM, "accepted", 1], [TEST_FORM, "note.seen", 2], ["footer", "note.seen", 2]],
  );
});

Deno.test("no form in the settings can have the name of test signups", async () => {
  await using app = await adminHarness();
  const save = app.services.settings.save("forms", { forms: [{ name: TEST_FORM }] });
  await assert.rejects(save, /only letters, digits/);
});

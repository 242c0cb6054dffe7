import assert from "node:assert/strict";
import { GROUPS } from "../frame/page.ts";
import { pages } from "../page_registry.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

Deno.test("every page in the navigation has a group and an icon that no other page has", () => {
  const listed = pages.filter(({ group }) => group !== undefined);
  const icons = listed.map(({ icon }) => icon);
  assert.ok(icons.every((icon) => icon !== undefined), icons.join());
  assert.equal(new Set(icons).size, listed.length);
  assert.deepEqual([...new Set(listed.map(({ group }) => group))].toSorted(), [...GROUPS].toSorted());
});

Deno.test("the navigation links each page below the heading of its group, and marks the current one", async () => {
  await using app = await adminHarness();
  const { html } = await (await app.signIn()).page("/forms");
  const sections = html.slice(html.indexOf("<nav"), html.indexOf("</nav>")).split("<section>").slice(1);
  assert.equal(sections.length, GROUPS.length);
  for (const [index, group] of GROUPS.entries()) {
    const members = pages.filter((page) => page.group === group).map(({ path }) => `/admin${path}`);
    const linked = [...sections[index]!.split("</section>")[0]!.matchAll(/href="([^"]+)"/g)].map(([, to]) =>
      to
    );
    assert.deepEqual(linked, members, group);
  }
  assert.match(html, /href="\/admin\/forms" aria-current="page"/);
});

Deno.test("every shortcut is a letter of its own, and is listed for the users who may open its page", async () => {
  const letters = pages.flatMap(({ shortcut }) => shortcut ?? []);
  assert.ok(letters.every((letter) => /^[a-z]$/.test(letter)), letters.join());
  assert.equal(new Set(letters).size, letters.length);

  await using app = await adminHarness();
  const linked = (html: string) => [...html.matchAll(/data-shortcut="(.)"/g)].map(([, letter]) => letter);
  const listed = (html: string) =>
    [...html.matchAll(/<kbd>g<\/kbd> then <kbd>(.)<\/kbd>/g)].map(([, letter]) => letter);
  for (const role of ["admin", "analyst"] as const) {
    const { html } = await (await app.signIn(role)).page("/overview");
    assert.deepEqual(listed(html).toSorted(), linked(html).toSorted(), role);
    assert.equal(linked(html).includes("s"), role === "admin", role);
    assert.equal(html.includes("/admin/subscribers#filter-q"), role === "admin", role);
  }
});

Deno.test("the title of a page names the form that it shows, and never an address", async () => {
  await using app = await adminHarness();
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  await (await app.post({ email: "ada@example.com", consent: true })).body?.cancel();
  await app.work();
  const admin = await app.signIn();
  const titleOf = async (path: string) => /<title>(.*?)<\/title>/.exec((await admin.page(path)).html)![1];
  assert.equal(await titleOf("/form-settings?form=footer"), "Form footer · cfbe");
  assert.equal(await titleOf("/experiment?form=footer"), "Experiment: footer · cfbe");
  assert.equal(await titleOf("/forms"), "Forms · cfbe");
  const { html } = await admin.search("/subscribers", { q: "ada@example.com" });
  const [person] = html.match(/(?<=href="\/admin)\/subscriber\?[^"]*/)!;
  assert.equal(await titleOf(person.replaceAll("&amp;", "&")), "Signup · cfbe");
});

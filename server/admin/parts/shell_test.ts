import assert from "node:assert/strict";
import { GROUPS } from "../page.ts";
import { pages } from "../pages/registry.ts";
import { adminHarness } from "../testing.ts";

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

/** Accessibility of every admin page, in a real browser. */
import assert from "node:assert/strict";
import { pages } from "../server/admin/pages/registry.ts";
import { visitAdmin } from "./admin_pages.ts";

const browserTest = (name: string, fn: () => Promise<void>) =>
  // The browser outlives a test.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });

browserTest(
  "axe finds no problems on any page, light or dark, and no page is wider than 320 px",
  async () => {
    await using visit = await visitAdmin();
    const findings: string[] = [];
    const check = async (name: string) => void findings.push(...await visit.check(name));
    await visit.open("/login");
    await check("login");
    await visit.signIn();
    for (const { path } of pages) {
      await visit.open(path);
      await check(path.slice(1));
    }
    assert.deepEqual(findings, []);
    assert.deepEqual(visit.errors, []);
  },
);

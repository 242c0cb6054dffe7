/** The admin in a real browser: signing in, saving, what goes wrong, and that everybody can use every page. */
import assert from "node:assert/strict";
import { pages } from "../server/admin/pages/registry.ts";
import { visitAdmin } from "./admin_pages.ts";

const browserTest = (name: string, fn: () => Promise<void>) =>
  // The browser is a process with sockets of its own.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });

browserTest(
  "axe finds nothing on any page, in light and dark, and no page is wider than 320 pixels",
  async () => {
    await using visit = await visitAdmin();
    const findings: string[] = [];
    const look = async (name: string) => void findings.push(...await visit.look(name));
    await visit.open("/login");
    await look("login");
    await visit.signIn();
    for (const { path } of pages) {
      await visit.open(path);
      await look(path.slice(1));
    }
    assert.deepEqual(findings, []);
    assert.deepEqual(visit.complaints, []);
  },
);

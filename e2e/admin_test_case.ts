import assert from "node:assert/strict";
import { type AdminVisit, visitAdmin } from "./admin_pages.ts";

/** Long enough for every step on a busy machine. */
export const SOON_MS = 15_000;
export const SOON = { timeout: SOON_MS };

/** Registers a test of a signed-in admin on a page. It also checks that the console has no errors. */
export function adminTest(name: string, path: string, act: (visit: AdminVisit) => Promise<void>): void {
  Deno.test({
    name,
    async fn() {
      await using visit = await visitAdmin();
      await visit.signIn();
      await visit.open(path);
      await act(visit);
      assert.deepEqual(visit.errors, []);
    },
    // The browser outlives a test.
    sanitizeOps: false,
    sanitizeResources: false,
  });
}

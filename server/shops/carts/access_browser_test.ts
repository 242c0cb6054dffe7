/** What screen readers and keyboards find on the pages that links in a cart reminder open. */
import assert from "node:assert/strict";
import { focusedNode } from "../../../e2e/access_tree.ts";
import { axe } from "../../../e2e/axe.ts";
import { launch } from "../../../e2e/browser.ts";
import { en } from "../../../shared/texts/en.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { signLink } from "./links.ts";

const MAILBOX = "a".repeat(43);

for (const colorScheme of ["light", "dark"] as const) {
  Deno.test(
    `axe finds no problems on the pages of cart reminders, which work by keyboard (${colorScheme})`,
    // The browser's connections outlive a step of the sanitizers.
    { sanitizeOps: false, sanitizeResources: false },
    async () => {
      await using program = await startProgram();
      const browser = await launch();
      try {
        const page = await browser.newPage({ locale: "en", colorScheme });
        const check = async (title: string) => {
          await page.getByRole("heading", { name: title }).waitFor();
          assert.equal(await page.title(), title);
          const { violations, passes } = await axe(page).analyze();
          assert.ok(passes.length > 5, title);
          assert.deepEqual(violations.map(({ id, nodes }) => [title, id, nodes.map(({ html }) => html)]), []);
        };
        const link = signLink(program.services.keyring, "cfbe/cart-stop", MAILBOX);
        await page.goto(`${program.baseUrl}/cart-stop/${link}`);
        await check(en.cart.stopTitle);
        await page.keyboard.press("Tab");
        assert.equal((await focusedNode(page))?.name, en.cart.stopButton);
        await page.keyboard.press("Enter");
        await check(en.cart.stoppedTitle);
        for (const path of ["/cart-stop/wrong", "/cart/gone"]) {
          await page.goto(program.baseUrl + path);
          await check(en.cart.goneTitle);
        }
      } finally {
        await browser.close();
      }
    },
  );
}

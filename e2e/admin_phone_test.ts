/** Support on a phone: everything a thumb needs, in a real browser of 390 by 844 pixels. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { openDenoKv } from "../server/platform/kv/engines/deno_kv.ts";
import { putRecord } from "../server/signup/record/record.ts";
import type { SignupRecord } from "../server/signup/record/row.ts";
import { visitAdmin } from "./admin_pages.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** The smallest target that a thumb hits (WCAG 2.5.5). */
const TARGET_PX = 44;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Creates a database with people who signed up two days ago, and have been waiting for their confirmation since. */
async function seed(path: string, emails: string[]): Promise<void> {
  using kv = await openDenoKv(path);
  const at = Date.now() - 2 * DAY_MS;
  for (const [index, email] of emails.entries()) {
    const times = { since: at, createdAt: at + index, updatedAt: at };
    const record: SignupRecord = {
      ...{ v: 2, email, list: "news", status: "pending", listStatus: "pending", tags: [], source: "popup" },
      ...times,
    };
    await putRecord(kv.atomic(), null, record).commit();
  }
}

/** Returns the visible targets that are too small, and whether the page scrolls sideways. */
function findings(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const targets = document.querySelectorAll<HTMLElement>(
      "button, .button, .chip, summary, tbody a, label:has([type=checkbox]), .back a, dialog input",
    );
    const small = [...targets].filter((each) => each.checkVisibility()).flatMap((each) => {
      const { height } = (each.closest(".line, label") ?? each).getBoundingClientRect();
      return height > 0 && height < least
        ? [`${each.textContent?.trim()} is ${Math.round(height)} pixels high`]
        : [];
    });
    const { scrollWidth } = document.documentElement;
    return scrollWidth > innerWidth ? [...small, `the page is ${scrollWidth} pixels wide`] : small;
  }, TARGET_PX);
}

Deno.test({
  name:
    "on a phone, one thumb finds a person by filters that close once applied, reads the timeline, resends the confirmation and erases the person",
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "cfbe-phone-" });
    await using _ = { [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
    const database = `${folder}/cfbe.kv`;
    await seed(database, ["ada@example.com", "a.rather.long.address.of.somebody@mail.example.com"]);
    await using visit = await visitAdmin({ CFBE_KV: database }, PHONE);
    const { page } = visit;
    const found: string[] = [];
    const check = async (where: string) => {
      await page.waitForLoadState();
      found.push(...(await findings(page)).map((each) => `${where}: ${each}`));
    };
    await visit.signIn();

    await visit.open("/subscribers");
    await page.getByRole("searchbox", { name: "Email address" }).fill("ada");
    await page.getByRole("button", { name: "Search" }).tap();
    await page.getByRole("heading", { name: "1 result" }).waitFor();
    const filters = page.getByText("Filters", { exact: true });
    await filters.tap();
    await page.getByLabel("Status", { exact: true }).selectOption("pending");
    await page.getByRole("button", { name: "Apply filters" }).tap();
    await page.getByRole("link", { name: "Remove the filter Status: pending" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Apply filters" }).isVisible(), false);
    const [filtered, result] = [page.getByText("Status: pending", { exact: false }).first(), "1 result"];
    assert.ok((await filtered.boundingBox())!.y >= 0, "the filters that are set are in view");
    assert.ok((await page.getByRole("heading", { name: result }).boundingBox())!.y < 844);
    const row = page.getByRole("row").filter({ hasText: "ada@example.com" });
    await check("list");
    assert.match(await row.innerText(), /^ada@example\.com\s+pending$/, "one line a person");
    assert.ok((await row.boundingBox())!.height < 60);
    await row.getByRole("link").tap();

    await page.getByRole("heading", { name: "ada@example.com" }).waitFor();
    await check("person");
    assert.equal(await page.getByRole("heading", { name: "Timeline" }).isVisible(), true);
    const resend = page.getByRole("button", { name: "Resend confirmation" });
    const { y, height } = (await resend.boundingBox())!;
    assert.ok(y > 600 && y + height <= 844, "the primary action is at the bottom, without scrolling");
    await resend.tap();
    await page.locator("#main").getByText("Confirmation email queued").waitFor();
    await page.getByText("Confirmation resent manually").waitFor();

    await page.getByRole("button", { name: "More actions" }).tap();
    await check("more actions");
    await page.getByRole("button", { name: "Erase" }).tap();
    const dialog = page.getByRole("dialog", { name: "Erase ada@example.com?" });
    const box = (await dialog.boundingBox())!;
    assert.ok(
      box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 844,
      "the dialog fits",
    );
    await check("dialog");
    await dialog.getByRole("button", { name: "Erase permanently" }).tap();
    await page.getByText("ada@example.com has been erased").waitFor();
    await check("erased");
    assert.deepEqual(await visit.program.status("ada@example.com"), []);
    assert.deepEqual(found, []);
    assert.deepEqual(visit.errors, []);
  },
  // The browser outlives a test.
  sanitizeOps: false,
  sanitizeResources: false,
});

/** The admin by keyboard, in a low window and in forced colors: what axe cannot see. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { TestProgram } from "../dev/testing/program.ts";
import { newJobRow } from "../server/platform/jobs/add.ts";
import { jobKey, writeRow } from "../server/platform/jobs/row.ts";
import { readRow } from "../server/platform/kv/key.ts";
import { type AdminStates, openStates } from "./admin_states.ts";
import { accessTree, focusedNode } from "./access_tree.ts";
import { axeFindings } from "./admin_pages.ts";
import { openElement, openStep } from "./form_editor.ts";
import { openPerson } from "./pictures/scenes.ts";

const LOW = { width: 320, height: 256 };
/** Windows in which parts of the editor of a form stay in view while the rest scrolls. */
const EDITOR_WINDOWS = {
  "a phone": { width: 390, height: 844 },
  "a low desktop": { width: 1280, height: 500 },
};
/** No page has as many stops of the Tab key. */
const MOST_STOPS = 400;

const stack = new AsyncDisposableStack();
Deno.test.afterAll(() => stack.disposeAsync());

/** Adds jobs that ran out of retries. */
async function addFailedJobs({ services: { clock, kv } }: TestProgram, count: number): Promise<void> {
  const now = clock.now();
  for (let i = 0; i < count; i++) {
    const id = `failed:${i}`;
    const tx = kv.atomic();
    const job = newJobRow({ id, name: "cfbe_unknown", payload: {}, due: now }, now, []);
    writeRow(tx, await readRow(kv, jobKey(id)), { ...job, state: "dead" });
    await tx.commit();
  }
}

let starting: Promise<AdminStates> | undefined;

function accessTest(name: string, check: (world: AdminStates) => Promise<void>): void {
  Deno.test({
    name,
    async fn() {
      const world = await (starting ??= openStates(stack));
      await check(world);
      assert.deepEqual(world.errors.splice(0), []);
    },
    // Program and browser outlive a test.
    sanitizeOps: false,
    sanitizeResources: false,
  });
}

/** Presses Tab until the focus is back at the page, and returns the names of what something else covered. */
async function coveredStops(page: Page): Promise<string[]> {
  const covered: string[] = [];
  await page.locator(".skip").focus();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const element = document.activeElement!;
      if (element === document.body || element.matches(".skip")) return "end";
      if (element.matches("iframe")) return "";
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
      const isFree = (y: number) => {
        const there = document.elementFromPoint(x, y);
        return there !== null &&
          (element.contains(there) || there.contains(element) || there.closest("label")?.contains(element));
      };
      const [from, to] = [Math.max(top, 0) + 2, Math.min(bottom, innerHeight) - 2];
      const places = [from, (from + to) / 2, to];
      return from < to && places.some(isFree) ? "" : (element.textContent!.trim() || element.outerHTML);
    });
    if (found === "end") return covered;
    if (found !== "") covered.push(found);
  }
  assert.fail(`Tab does not leave the page after ${MOST_STOPS} stops`);
}

const LOW_PAGES: Record<string, (world: AdminStates) => Promise<void>> = {
  "a person's page": ({ page, program: { baseUrl } }) => openPerson({ page, baseUrl }),
  "a form's page": ({ open }) => open("/form-settings?form=footer"),
  "the audience of a form": ({ page, open }) => openAt(page, open, "Who sees it"),
  "the publishing of a form": ({ page, open }) => openAt(page, open, "On your site"),
  "a page of settings": ({ open }) => open("/general"),
  "the popup's page": ({ open }) => open("/popup"),
};

for (const [where, reach] of Object.entries(LOW_PAGES)) {
  accessTest(
    `at 320 by 256 pixels, nothing covers what has the focus on ${where}, and Tab passes all of it`,
    async (world) => {
      const { page } = world;
      const size = page.viewportSize()!;
      await reach(world);
      await page.setViewportSize(LOW);
      assert.deepEqual(await coveredStops(page), []);
      await page.setViewportSize(size);
    },
  );
}

async function openAt(
  page: Page,
  open: AdminStates["open"],
  step: Parameters<typeof openStep>[1],
): Promise<void> {
  await open("/form-settings?form=rich");
  await openStep(page, step);
}

for (const [where, size] of Object.entries(EDITOR_WINDOWS)) {
  accessTest(
    `on ${where}, nothing covers what has the focus in any step of the editor of a form`,
    async ({ page, open }) => {
      const before = page.viewportSize()!;
      await page.setViewportSize(size);
      for (const step of ["Design", "Who sees it", "On your site"] as const) {
        await openAt(page, open, step);
        assert.deepEqual(await coveredStops(page), [], step);
      }
      await page.setViewportSize(before);
    },
  );
}

accessTest(
  "a form that is paused and resumed in the list by keyboard keeps the focus and the place",
  async ({ page, open }) => {
    await open("/forms");
    await page.setViewportSize({ width: 1280, height: 320 });
    const row = page.getByRole("row", { name: "long" });
    const opener = row.getByRole("button", { name: "Actions (long)", exact: true });
    await opener.focus();
    const before = await page.evaluate(() => scrollY);
    assert.ok(before > 0);
    for (const [label, status] of [["Pause", "Paused"], ["Resume", "Live"]] as const) {
      await page.keyboard.press("Enter");
      assert.equal((await focusedNode(page))?.name, label);
      await page.keyboard.press("Enter");
      await row.locator(".badge", { hasText: status }).waitFor();
      await row.getByRole("button", { name: label, exact: true }).waitFor({ state: "detached" });
      assert.equal((await focusedNode(page))?.name, "Actions (long)");
    }
    const moved = Math.abs(await page.evaluate(() => scrollY) - before);
    assert.ok(moved < 160, `the page moved by ${moved} pixels`);
    await page.setViewportSize({ width: 1280, height: 900 });
  },
);

accessTest(
  "rows of the list of forms are 49 pixels high, and axe finds nothing in an open menu of their actions",
  async ({ page, open }) => {
    await open("/forms");
    const heights = await page.locator("tbody tr:not(:has(.state-time ~ *))").evaluateAll((rows) =>
      rows.map((row) => Math.round(row.getBoundingClientRect().height))
    );
    assert.ok(heights.length > 5);
    assert.deepEqual(
      [...new Set(heights)],
      [49],
      "only a scheduled form with more to say takes more than one line",
    );
    for (const [name, item] of [["rich", "Export published form"], ["footer", "Duplicate"]] as const) {
      const opener = page.getByRole("button", { name: `Actions (${name})`, exact: true });
      await opener.press("Enter");
      const menu = page.getByRole("group", { name: `Actions for ${name}` });
      await menu.getByRole("link", { name: item }).waitFor();
      const [at, from] = [(await menu.boundingBox())!, (await opener.boundingBox())!];
      assert.ok(Math.abs(at.x + at.width - from.x - from.width) < 2, "at its button");
      assert.deepEqual(await axeFindings(page), []);
      await page.keyboard.press("Escape");
      assert.equal(await menu.isVisible(), false);
      assert.equal((await focusedNode(page))?.name, `Actions (${name})`);
    }
  },
);

accessTest(
  "after an action that removes a row, the focus is on the same button of the next row, then of the previous one, then on the heading",
  async ({ page, open, program }) => {
    await addFailedJobs(program, 3);
    await open("/jobs?state=dead");
    const opener = (id: string) => page.locator(`[popovertarget="${id}"]:not([popover] *)`);
    const ids = await page.locator("tr dialog[id^=cancel-]").evaluateAll((all) => all.map(({ id }) => id));
    assert.ok(ids.length >= 3);
    /** Cancels a job by keyboard, and returns what has the focus afterwards. */
    const cancel = async (id: string) => {
      await opener(id).focus();
      await page.keyboard.press("Enter");
      await page.locator(`[id="${id}"]`).getByRole("button", { name: "Cancel job" }).focus();
      await page.keyboard.press("Enter");
      await opener(id).waitFor({ state: "detached" });
      assert.match(await page.locator("[data-announcer]").textContent() ?? "", /job/i);
      return await page.evaluate(() => {
        const focused = document.activeElement!;
        return focused.getAttribute("popovertarget") ?? focused.localName;
      });
    };
    assert.equal(await cancel(ids[0]!), ids[1]);
    assert.equal(await cancel(ids.at(-1)!), ids.at(-2));
    for (const id of ids.slice(1, -2)) await cancel(id);
    assert.equal(await cancel(ids.at(-2)!), "h1");
  },
);

/** What marks one of several as chosen: the chosen one, and another. */
const CHOSEN: [path: string, chosen: string, other: string][] = [
  ["/overview?days=30", ".nav a[aria-current]", ".nav a:not([aria-current])"],
  ["/overview?days=30", ".tabs a[aria-current]", ".tabs a:not([aria-current])"],
  ["/overview?days=30", ".stat dt a[aria-current]", ".stat dt a:not([aria-current])"],
  ["/overview?days=30", ".choices a[aria-current]", ".choices a:not([aria-current])"],
  ["/form-settings?form=rich", ".segments :checked + span", ".segments :not(:checked) + span"],
  ["/form-settings?form=rich", ".editor-steps [aria-current]", ".editor-steps a:not([aria-current])"],
  ["/form-settings?form=rich", ".elements [aria-current]", ".elements a:not([aria-current])"],
  ["/parts", "[role=switch]:checked", "[role=switch]:not(:checked)"],
];

accessTest(
  "in forced colors, what is chosen has another background than what is not",
  async ({ page, open }) => {
    await page.emulateMedia({ forcedColors: "active" });
    const same: string[] = [];
    for (const [path, chosen, other] of CHOSEN) {
      await open(path);
      const background = (selector: string) =>
        page.locator(selector).first().evaluate((each) => {
          const { backgroundColor } = getComputedStyle(each);
          const isSeenThrough = backgroundColor.endsWith(", 0)");
          return isSeenThrough ? getComputedStyle(document.documentElement).backgroundColor : backgroundColor;
        });
      if (await background(chosen) === await background(other)) same.push(chosen);
    }
    assert.deepEqual(same, []);
  },
);

accessTest("in forced colors, badges, filters and counts have a border", async ({ page, open }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open("/parts");
  const widths = await page.locator("main :is(.badge, .chip)").evaluateAll((all) =>
    all.map((each) => parseFloat(getComputedStyle(each).borderTopWidth))
  );
  assert.ok(widths.length > 0 && widths.every((width) => width >= 1), `${widths}`);
  await page.emulateMedia({ forcedColors: "none" });
});

accessTest(
  "screen readers get row headers, and names that no two buttons, disclosures or frames share",
  async (world) => {
    const { page, open, program: { baseUrl } } = world;
    await open("/forms");
    assert.ok((await accessTree(page)).some(({ role, name }) => role === "rowheader" && name === "long"));
    await open("/form-settings?form=long");
    await openElement(page, "Add a field");
    const names = (await accessTree(page)).filter(({ role }) => role === "button").map(({ name }) => name);
    const twice = names.filter((name, index) =>
      /^(Remove|Move) /.test(name) && names.indexOf(name) !== index
    );
    assert.deepEqual(twice, []);
    assert.ok(names.includes("Add Text"));
    const frames = await page.locator("iframe").evaluateAll((all) =>
      all.map((frame) => frame.getAttribute("title"))
    );
    assert.ok(frames.length > 0 && frames.every((title) => title?.includes("long")), `${frames}`);
    assert.equal(new Set(frames).size, frames.length);
    await openPerson({ page, baseUrl });
    const disclosures = (await accessTree(page)).filter(({ role }) => role === "DisclosureTriangle");
    assert.ok(
      disclosures.length > 0 && disclosures.every(({ name }) => name !== "Details"),
      JSON.stringify(disclosures),
    );
  },
);

accessTest("every color picker of a design is at least 24 pixels wide and high", async ({ page, open }) => {
  await open("/form-settings?form=long");
  await openElement(page, "Colors and style");
  const sizes = await page.locator("input[type=color]").evaluateAll((pickers) =>
    pickers.map((picker) => {
      picker.closest("details")?.setAttribute("open", "");
      const { width, height } = picker.getBoundingClientRect();
      return Math.min(width, height);
    })
  );
  assert.ok(sizes.length > 0 && sizes.every((size) => size >= 24), `${sizes}`);
});

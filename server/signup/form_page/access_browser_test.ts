/** What screen readers and keyboards find on the page of a form, without JavaScript. */
import assert from "node:assert/strict";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { accessTree, focusedNode } from "../../../e2e/access_tree.ts";
import { axe } from "../../../e2e/axe.ts";
import { launch } from "../../../e2e/browser.ts";
import { en } from "../../../shared/texts/en.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";

const options = ["Small", "Large"];
const FIELDS = [
  { name: "age", kind: "number", label: "Age", required: true },
  { name: "land", kind: "country", label: "Land", required: true },
  { name: "size", kind: "radio", label: "Size", options, required: true },
  { name: "topics", kind: "multiSelect", label: "Topics", options, required: true },
  { name: "birthday", kind: "date", label: "Birthday", withoutYear: true, required: true },
  {
    name: "terms",
    kind: "consent",
    label: "Agree to the [terms](https://shop.example/terms)",
    required: true,
  },
  { name: "calls", kind: "checkbox", label: "Call me" },
];

let browser: Promise<Browser> | undefined;
Deno.test.afterAll(async () => {
  await (await browser)?.close();
});

interface OpenPage extends AsyncDisposable {
  page: Page;
  program: TestProgram;
  clock: ManualClock;
}

/** Opens the form in a browser, by default without JavaScript. */
async function open(
  form: object = {},
  options: BrowserContextOptions = { javaScriptEnabled: false },
): Promise<OpenPage> {
  const clock = new ManualClock();
  const settings = {
    form: { nameField: "required", ...form },
    forms: { forms: [{ name: "all", fields: FIELDS }] },
  };
  const program = await startProgram({ clock, file: { settings: settings as never } });
  const context = await (await (browser ??= launch())).newContext({ locale: "en", ...options });
  const page = await context.newPage();
  await page.goto(`${program.baseUrl}/form/all`);
  return {
    page,
    program,
    clock,
    async [Symbol.asyncDispose]() {
      await context.close();
      await program[Symbol.asyncDispose]();
    },
  };
}

/** Submits the form without the browser's own checks, which not every browser has. */
async function submit({ page, clock }: OpenPage): Promise<void> {
  await clock.advance(3_000);
  await page.locator("form").evaluate((form: HTMLFormElement) => form.noValidate = true);
  await Promise.all([page.waitForNavigation(), page.getByRole("button", { name: en.form.button }).click()]);
}

function pageTest(name: string, fn: () => Promise<void>): void {
  // The browser outlives a test.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}

pageTest(
  "without JavaScript, a rejected form says so in its title, and the first wrong field has the focus and its error",
  async () => {
    await using opened = await open();
    const { page } = opened;
    assert.equal(await page.title(), en.form.heading);
    await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
    await page.getByLabel(en.form.nameLabel).fill("Ada");
    await page.getByLabel("Age").fill("40");
    await page.getByLabel("Land").selectOption("DE");
    await submit(opened);
    assert.equal(await page.title(), `${en.form.invalid} · ${en.form.heading}`);
    assert.deepEqual(await focusedNode(page), {
      role: "radio",
      name: "Small",
      description: en.form.invalidInterests,
      invalid: true,
      focused: true,
    });
    const wrong = (await accessTree(page)).filter(({ invalid }) => invalid);
    assert.ok(wrong.every(({ description }) => description), "each says what is wrong");
    assert.deepEqual(
      wrong.map(({ name }) => name),
      ["Small", "Large", "Small", "Large", "Month", "Day", "Agree to the terms"],
    );
  },
);

pageTest(
  "without JavaScript, a form that was sent too early has its message in the title, and the focus on it",
  async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
    await page.locator("form").evaluate((form: HTMLFormElement) => form.noValidate = true);
    await Promise.all([page.waitForNavigation(), page.getByRole("button").click()]);
    assert.equal(await page.title(), `${en.form.again} · ${en.form.heading}`);
    assert.equal((await focusedNode(page))?.role, "alert");
  },
);

pageTest(
  "no field of a form's page is invalid before it was checked, and a group says whether it is required",
  async () => {
    await using opened = await open({
      interests: [{ tag: "news", label: "News" }],
      consent: "optional",
      consentText: "Follow my visits.",
    });
    const tree = await accessTree(opened.page);
    assert.deepEqual(tree.filter(({ invalid }) => invalid), []);
    const named = (role: string) => tree.filter((node) => node.role === role).map(({ name }) => name);
    assert.deepEqual(named("form"), [en.form.heading]);
    assert.deepEqual(named("group"), [
      `${en.form.interestsLabel} (optional)`,
      "Size (required)",
      "Topics (required)",
      "Birthday (required)",
    ]);
    assert.deepEqual(named("checkbox").slice(-3), [
      "Agree to the terms",
      "Call me (optional)",
      "Follow my visits. (optional)",
    ]);
    const link = tree.find(({ role }) => role === "link");
    assert.deepEqual([link?.name, link?.description], ["terms", en.form.newTab]);
  },
);

for (const colorScheme of ["light", "dark"] as const) {
  pageTest(
    `axe finds no problems on the pages of a form: empty, with errors, after a signup, and if it does not exist (${colorScheme})`,
    async () => {
      const consent = { consent: "required", consentText: "I agree." };
      await using opened = await open({ nameField: "optional", ...consent }, { colorScheme });
      const { page, program } = opened;
      const check = async (what: string) => {
        const { violations, passes } = await axe(page).analyze();
        assert.ok(passes.length > 5, what);
        assert.deepEqual(violations.map(({ id, nodes }) => [what, id, nodes.map(({ html }) => html)]), []);
      };
      await check("empty");
      await submit(opened);
      await check("with errors");
      await page.goto(`${program.baseUrl}/form`);
      await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
      await page.getByLabel("I agree.").check();
      await submit(opened);
      await page.getByText(en.form.success).waitFor();
      await check("after a signup");
      await page.goto(`${program.baseUrl}/form/unknown`);
      await check("unknown");
    },
  );
}

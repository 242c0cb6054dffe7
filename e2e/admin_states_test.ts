/** Accessibility and weight of the admin's pages with data, in a real browser. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type AdminStates, openStates } from "./admin_states.ts";
import { openElement, openStep, savedDraft } from "./form_editor.ts";
import { openPerson } from "./pictures/scenes.ts";

/** A page with its style sheets, scripts, pictures and preview, as sent. */
const BUDGET_BYTES = 90_000;

const stack = new AsyncDisposableStack();
Deno.test.afterAll(() => stack.disposeAsync());

let starting: Promise<AdminStates> | undefined;

/** What leads to each state. A text is a path. */
const STATES: Record<string, string | ((world: AdminStates) => Promise<void>)> = {
  "a form with fourteen fields, targeting, an image and a draft": async ({ page, open }) => {
    await open("/form-settings?form=rich");
    await previewed(page);
  },
  "one field of a form with fourteen": async ({ page, open }) => {
    await open("/form-settings?form=rich");
    await openElement(page, "First name");
    await page.getByLabel("Help text").first().waitFor();
  },
  "the colors of a form": async ({ page, open }) => {
    await open("/form-settings?form=rich");
    await openElement(page, "Colors and style");
  },
  "the unpublished changes of a form": async ({ page, open }) => {
    await open("/form-settings?form=rich");
    await openStep(page, "On your site");
    await page.getByRole("heading", { name: "Unpublished changes" }).waitFor();
  },
  "a form's draft that could not be saved": async ({ page, open }) => {
    await open("/form-settings?form=drafted");
    await openStep(page, "On your site");
    await page.getByLabel("Tags").fill("<b>");
    await page.locator("[data-saved].bad").getByText("Not saved: Tags: ").waitFor();
  },
  "a form whose save was refused": async ({ page, open }) => {
    await open("/form-settings?form=drafted");
    await openElement(page, "First name");
    await page.getByLabel("Help text").first().fill("A".repeat(400));
    await openStep(page, "On your site");
    await page.getByLabel("Tags").fill("<b>");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("alert").waitFor();
  },
  "a form whose rules were checked for a visitor": async ({ page, open }) => {
    await open("/form-settings?form=rich");
    await openStep(page, "Who sees it");
    await page.getByLabel("Page URL").fill("https://shop.example/blog");
    await page.getByRole("button", { name: "Closed it yesterday" }).press("Enter");
    await page.locator(".checks :focus").getByText("It does not show:").waitFor();
    for (const summary of await page.locator("#why summary").all()) await summary.press("Enter");
  },
  "a form with an order of its own": async ({ page, open }) => {
    await open("/form-settings?form=rich");
    await page.locator(".elements [data-place=name] a").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.locator("[data-announcer]").getByText("Moved: Name").waitFor();
    await previewed(page);
  },
  "a form's texts in German": "/form-settings?form=rich&locale=de",
  "forms in every state": "/forms",
  "forms to start from": "/new-form",
  "a ready form": "/new-form?from=coupon-popup",
  "an empty form": "/new-form?from=empty",
  "a copy of a form": "/new-form?from=copy",
  "no experiment": "/experiment?form=footer",
  "an experiment that is a draft": "/experiment?form=drafted",
  "an experiment that is running": "/experiment?form=running",
  "an experiment that is decided": "/experiment?form=decided",
  "a variant of a form": async ({ page, open }) => {
    await open("/form-settings?form=drafted&variant=b");
    await previewed(page);
  },
  "a variant's texts in German": "/form-settings?form=drafted&variant=b&locale=de",
  "a variant of an experiment that is decided": "/form-settings?form=decided&variant=b",
  "a form whose experiment is decided": "/form-settings?form=decided",
  "a variant that is about to be kept": async ({ page, open }) => {
    await open("/experiment?form=decided");
    await page.getByRole("button", { name: "Keep “Short”" }).first().click();
    await page.getByRole("dialog").waitFor();
  },
  "an experiment that has ended": "/experiment?form=ended",
  "an import with errors": async ({ page, open }) => {
    await open("/new-form?from=file");
    await page.getByLabel("Exported form").fill('{"form":{"name":"footer","layout":"round"}}');
    await page.getByRole("button", { name: "Import form" }).click();
    await page.getByRole("alert").waitFor();
  },
  "an overview with signups": "/overview?days=30",
  "sources with signups": "/sources?days=30",
  "coupons that were issued": "/coupon",
  "subscribers": "/subscribers",
  "subscribers with an incomplete filter by an answer": async ({ page, open }) => {
    await open("/subscribers");
    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("Field", { exact: true }).selectOption({ index: 1 });
    await page.getByLabel("Comparison").selectOption("is at least");
    await page.getByLabel("Answer", { exact: true }).fill("many");
    await page.getByLabel("Page", { exact: true }).fill("/blog/*");
    await page.getByRole("button", { name: "Apply filters" }).click();
    await page.getByText("Enter a number such as 4.5").waitFor();
  },
  "a person with several signups": ({ page, program: { baseUrl } }) => openPerson({ page, baseUrl }),
  "failed jobs": "/jobs?state=dead",
  "open alerts": "/alerts",
  "an audit log with entries": "/audit",
  "every part in every state": "/parts",
};

/** Waits until the preview shows the form. */
async function previewed(page: Page): Promise<void> {
  await page.frameLocator("iframe").first().getByLabel("Email address").waitFor();
}

const browserTest = (name: string, fn: () => Promise<void>) =>
  // Program and browser outlive a test.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });

// Before states in which a draft of the same form can't be saved: what was typed there is offered again.
browserTest(
  "no text touches the buttons below it in any state of an experiment, nor where a draft comes before it",
  async () => {
    const { page, open } = await (starting ??= openStates(stack));
    const size = page.viewportSize()!;
    await open("/form-settings?form=drafted");
    await page.getByLabel("Heading", { exact: true }).fill("Not published");
    await savedDraft(page);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ ...size, width });
      // Without a name, that of the popup.
      for (const form of ["", "?form=drafted", "?form=running", "?form=decided", "?form=ended"]) {
        await open(`/experiment${form}`);
        const touched = await page.locator("main :is(p, ul, table) + :is(.buttons, form):visible")
          .evaluateAll(
            (parts) =>
              parts.filter((part) =>
                part.getBoundingClientRect().top -
                    part.previousElementSibling!.getBoundingClientRect().bottom < 8
              ).map((part) => part.textContent),
          );
        assert.deepEqual(touched, [], `${form} ${width} px wide`);
      }
    }
    await page.setViewportSize(size);
  },
);

for (const [state, reach] of Object.entries(STATES)) {
  browserTest(
    `axe finds no problems on ${state}, light or dark, and the page is not wider than 320 px`,
    async () => {
      const world = await (starting ??= openStates(stack));
      await (typeof reach === "string" ? world.open(reach) : reach(world));
      assert.deepEqual(await world.check(state.replaceAll(" ", "-")), []);
      assert.deepEqual(world.errors.splice(0), []);
    },
  );
}

/** Returns the bytes of all bodies that a browser without a cache loads for a page and its preview, as they are sent. */
async function loadedBytes(
  { page, program }: AdminStates,
  path: string,
): Promise<[path: string, bytes: number][]> {
  const storageState = await page.context().storageState();
  const context = await page.context().browser()!.newContext({ storageState });
  const fresh = await context.newPage();
  const sizes: Promise<[path: string, bytes: number]>[] = [];
  fresh.on("requestfinished", (request) => {
    sizes.push(
      request.sizes().then(({ responseBodySize }) => [new URL(request.url()).pathname, responseBodySize]),
    );
  });
  await fresh.goto(program.baseUrl + path);
  await previewed(fresh);
  await fresh.waitForLoadState("load");
  const all = await Promise.all(sizes);
  await context.close();
  return all;
}

browserTest("a form with fourteen fields loads at most 90 kB with its preview and the widget", async () => {
  const loaded = await loadedBytes(await (starting ??= openStates(stack)), "/admin/form-settings?form=long");
  const total = loaded.reduce((sum, [, bytes]) => sum + bytes, 0);
  assert.ok(loaded.some(([path]) => /\/cfbe\/form-/.test(path)), "the widget is part of it");
  assert.ok(total <= BUDGET_BYTES, `${total} bytes: ${loaded.join(" ")}`);
});

browserTest("the preview of a country field names every country", async () => {
  const { page, open } = await (starting ??= openStates(stack));
  await open("/form-settings?form=long");
  await previewed(page);
  const country = page.frameLocator("iframe").first().locator("select[autocomplete=country]");
  await country.locator("option[value=DE]").waitFor({ state: "attached" });
  const names = await country.locator("option").allTextContents();
  assert.ok(names.includes("Germany") && names.every(Boolean), `${names}`);
});

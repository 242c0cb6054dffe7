/** The block in the editor, with its preview, and its form on the page. */
import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { createFormWithEveryField, EVERY_VALUE, fillEveryField } from "../every_field.ts";
import { waitUntil } from "../program.ts";
import { signUp, statusOf, visit, waitForStatus } from "../visitors.ts";
import { logIn } from "./log_in.ts";
import { hostTest, sharedStage } from "./stage.ts";

const stage = sharedStage();
Deno.test.beforeAll(() => createFormWithEveryField(stage().program, "every"));

/** The part of the editor's JavaScript API that the tests use. */
interface Wp {
  data: {
    dispatch(store: string): Record<string, ((...args: unknown[]) => unknown) | undefined>;
    select(store: string): { getBlocks(): { clientId: string }[] };
  };
  blocks: { createBlock(name: string, attributes: unknown): unknown };
}

/** Opens the editor with a new post that contains the block. */
async function openEditor(attributes: Record<string, string> = {}): Promise<Page> {
  const page = await logIn(stage());
  await page.goto(`${stage().site.url}/wp-admin/post-new.php`);
  await page.waitForFunction(
    "globalThis.wp?.data?.select('core/block-editor') && wp.blocks.getBlockType('cfbe/form')",
  );
  await page.evaluate((attributes) => {
    const { data, blocks } = (globalThis as unknown as { wp: Wp }).wp;
    data.dispatch("core/preferences").set!("core/edit-post", "welcomeGuide", false);
    data.dispatch("core/block-editor").insertBlocks!(blocks.createBlock("cfbe/form", attributes));
    const [{ clientId }] = data.select("core/block-editor").getBlocks() as [{ clientId: string }];
    data.dispatch("core/block-editor").selectBlock!(clientId);
    data.dispatch("core/edit-post").openGeneralSidebar!("edit-post/block");
  }, attributes);
  return page;
}

/** Waits for the preview, and returns its frame. It is in the frame of the editor's canvas in some versions. */
async function previewIn(page: Page, heading: string): Promise<Frame> {
  let found: Frame | undefined;
  await waitUntil(`the preview shows "${heading}"`, 20_000, async () => {
    for (const frame of page.frames()) {
      const shown = await frame.locator("cfbe-form").getByRole("heading", { name: heading }).isVisible()
        .catch(() => false);
      if (shown) found = frame;
    }
    return found !== undefined;
  });
  return found!;
}

/** Runs a function in every frame that can contain the block, and returns whether one shows a text. */
const shows = (page: Page, text: string) =>
  waitUntil(`"${text}" appears`, 20_000, async () => {
    const visible = page.frames().map((frame) =>
      frame.getByText(text).first().isVisible().catch(() => false)
    );
    return (await Promise.all(visible)).some(Boolean);
  });

hostTest(
  "the editor shows the chosen form while it is edited, counts no view, and the published page has that form",
  async () => {
    const { site, program, browser } = stage();
    const seen = async () => (await program.json<{ totals?: Record<string, number> }>("/ops/counts", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    }));
    const before = await seen();
    const page = await openEditor({ data: "shop=berlin", heading: "News" });
    await previewIn(page, "News");
    const form = page.getByLabel("Form", { exact: true });
    assert.deepEqual(await form.locator("option").allInnerTexts(), ["Default form", "every"]);
    await form.selectOption("every");
    await page.getByRole("button", { name: "Texts and appearance" }).click();
    await page.getByLabel("Heading").fill("Tea news");
    const preview = await previewIn(page, "Tea news");
    await preview.getByLabel("My firstName").waitFor();
    assert.deepEqual(await seen(), before);

    await page.evaluate(async () => {
      const { data } = (globalThis as unknown as { wp: Wp }).wp;
      data.dispatch("core/editor").editPost!({ title: "By hand", status: "publish" });
      await data.dispatch("core/editor").savePost!();
    });
    const visitor = await visit(browser, `${site.url}/by-hand/`);
    assert.match(
      visitor.html,
      /<cfbe-form form="every" source="block" preload="layout fields" heading="Tea news" data-shop="berlin">/,
    );
    await visitor.page.getByRole("heading", { name: "Tea news" }).waitFor();
    await fillEveryField(visitor.page);
    await signUp(visitor, "ada@example.com");
    await waitForStatus(program, "ada@example.com", "pending");
    assert.deepEqual((await statusOf(program, "ada@example.com")).record.fields, EVERY_VALUE);
    assert.deepEqual(visitor.console, []);
    assert.equal(await site.phpErrors(), "");
  },
);

hostTest(
  "the editor says what is wrong: no server, one that can't be reached, and an unknown form",
  async () => {
    const { set, program } = stage();
    await set({ address: "" });
    await shows(await openEditor(), "Enter the URL of your cfbe server under Settings → cfbe.");

    await set({ address: "http://localhost:9" });
    const page = await openEditor();
    await shows(page, "Could not load the form from http://localhost:9.");
    await page.getByLabel("Form", { exact: true }).fill("footer");

    await set({ address: program.baseUrl });
    await shows(await openEditor({ form: "gone" }), "cfbe has no form “gone”.");
  },
);

hostTest("a shortcode with hidden values sends them, and ignores names that are none", async () => {
  const { site } = stage();
  const markup = await site.php<string>(
    `return do_shortcode( '[cfbe_form form="every" data="shop=a &quot;b&quot;, cfbe-open=x, ONLOAD=x, onload, =, x y=1"]' );`,
  );
  assert.match(markup, /^<span class="cfbe-column"><cfbe-form form="every" data-shop="a &quot;b&quot;"><a /);
});

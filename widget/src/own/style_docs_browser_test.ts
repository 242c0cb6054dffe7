import { en } from "../../../shared/texts/en.ts";
import assert from "node:assert/strict";
import { browserTest, formIsReady, open, until } from "../testing/site.ts";

/** The example in docs/style.md, as a page has it. */
function example(): string {
  const page = Deno.readTextFileSync(new URL("../../../docs/style.md", import.meta.url));
  return page.split("## Your own markup")[1]!.match(/```html\n([\s\S]*?)```/)![1]!;
}

browserTest(
  "the example for own markup colors a success and an error differently, and marks the invalid field",
  async () => {
    await using site = await open(example());
    const { page, backend } = site;
    await formIsReady(page);
    const message = page.locator("[data-cfbe-message]");
    const colorOf = (text: string) =>
      until(page, text, async () => await message.textContent() === text)
        .then(() => message.evaluate((element) => getComputedStyle(element).color));
    const accepts = backend.answer;
    backend.answer = () => ({
      success: false,
      code: "invalid",
      message: en.form.invalid,
      fields: { email: "No such." },
    });
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByRole("button").click();
    assert.equal(await colorOf("No such."), "rgb(176, 0, 32)");
    const border = () =>
      page.getByLabel("Email").evaluate((element) => getComputedStyle(element).borderColor);
    assert.equal(await border(), "rgb(176, 0, 32)");
    backend.answer = accepts;
    await page.getByRole("button").click();
    assert.equal(await colorOf(en.form.success), "rgb(26, 107, 60)");
    assert.notEqual(await border(), "rgb(176, 0, 32)");
  },
);

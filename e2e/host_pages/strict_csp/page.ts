import assert from "node:assert/strict";
import { emailField, hostPageTest } from "../host_page.ts";

hostPageTest(
  import.meta.url,
  "strict CSP: inline form, own markup, strip and popup work where only the server's scripts can run",
  {
    headers: {
      "content-security-policy":
        "default-src 'none'; script-src SERVICE; connect-src SERVICE; style-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
    settings: { forms: { forms: [{ name: "footer" }, { name: "strip", layout: "promo" }] } },
    ready: (page) => page.locator("cfbe-form[form=strip] [part=close]").waitFor(),
  },
  async ({ page, waitForSignup, program }) => {
    for (
      const [address, form] of [["csp@example.com", "cfbe-form[form=footer]"], [
        "own@example.com",
        "body > form",
      ]]
    ) {
      await page.locator(form!).locator(emailField(page)).fill(address!);
      await page.keyboard.press("Enter");
      await waitForSignup(address!);
    }
    const trap = page.locator("body > form [name=cfbe_hp]");
    assert.equal(
      await trap.evaluate((input) => getComputedStyle(input).clipPath),
      "inset(50%)",
      "its styles apply",
    );
    await page.getByRole("button", { name: "Get 10% off" }).click();
    await page.locator("cfbe-popup").locator(emailField(page)).fill("popup@example.com");
    await page.keyboard.press("Enter");
    assert.equal((await waitForSignup("popup@example.com")).record.source, "popup");
    assert.equal(
      await page.evaluate(
        (base) =>
          performance.getEntriesByType("resource").every(({ name }) =>
            name.startsWith(base) || name.startsWith(location.origin)
          ),
        program.baseUrl,
      ),
      true,
    );
  },
);

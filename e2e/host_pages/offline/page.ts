import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { emailField, hostPageTest } from "../host_page.ts";

hostPageTest(
  import.meta.url,
  "offline: the form says so and keeps the entries, and the signup succeeds once online again",
  // The browser's own messages about failed requests.
  { ignoreConsole: /net::ERR_INTERNET_DISCONNECTED/ },
  async ({ page, waitForSignup, signUp, program }) => {
    await page.context().setOffline(true);
    await emailField(page).fill("train@example.com");
    await page.keyboard.press("Enter");
    await page.getByText(en.form.offline).waitFor();
    assert.equal(await emailField(page).inputValue(), "train@example.com");
    assert.equal(
      (await fetch(`${program.baseUrl}/sandbox/subscribers.json`).then((r) => r.json())).subscribers.length,
      0,
    );
    await page.context().setOffline(false);
    await signUp("train@example.com");
    assert.equal(await page.evaluate("localStorage.cfbe_popup"), "subscribed");
    await waitForSignup("train@example.com");
  },
);

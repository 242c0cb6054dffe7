import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { email, hostPage } from "../host_page.ts";

hostPage(
  import.meta.url,
  "offline: the form says so and keeps what was typed, and once online again the signup is real",
  // The browser's own lines about requests that could not leave.
  { overhear: /net::ERR_INTERNET_DISCONNECTED/ },
  async ({ page, arrived, signUp, program }) => {
    await page.context().setOffline(true);
    await email(page).fill("train@example.com");
    await page.keyboard.press("Enter");
    await page.getByText(en.offline).waitFor();
    assert.equal(await email(page).inputValue(), "train@example.com");
    assert.equal(
      (await fetch(`${program.baseUrl}/sandbox/subscribers.json`).then((r) => r.json())).subscribers.length,
      0,
    );
    await page.context().setOffline(false);
    await signUp("train@example.com");
    assert.equal(await page.evaluate("localStorage.cfbe_popup"), "subscribed");
    await arrived("train@example.com");
  },
);

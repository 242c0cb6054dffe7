/** Helpers for tests of a page with one form. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { en } from "../../../shared/texts/en.ts";
import { type Site, until } from "./site.ts";

export const FORM = '<cfbe-form form="footer"><a href="/form">Subscribe by hand</a></cfbe-form>';
export const ALL_FIELDS = {
  nameField: "optional" as const,
  interests: [{ tag: "news", label: "News" }, { tag: "offers", label: "Offers" }],
  consent: "required" as const,
  consentText: "I have read the [privacy policy](https://shop.example/privacy).",
};

export const hasState = (page: Page, name: string): Promise<boolean> =>
  page.evaluate((name) => document.querySelector("cfbe-form")!.matches(`:state(${name})`), name);
export const email = (page: Page) => page.getByLabel(en.form.emailLabel);
export const button = (page: Page) => page.locator("[part=button]");
/** The form's message, if one is visible. */
export const message = (page: Page) => page.locator("[part=message]:visible:not(.busy *)");

/** Submits the form, and advances the clock until it shows a result. */
export async function submit({ page }: Site): Promise<void> {
  await button(page).click();
  await until(page, "a result", async () => await hasState(page, "success") || await hasState(page, "error"));
}

/** Advances the clock until the signup has succeeded. */
export const waitForSuccess = ({ page }: Site) => until(page, "success", () => hasState(page, "success"));

/** Signs up, and asserts that the server receives one signup. */
export async function signUp({ page, backend }: Site): Promise<void> {
  await email(page).fill("ada@example.com");
  await button(page).click();
  await until(page, "a signup", () => Promise.resolve(backend.signups.length > 0));
  await page.getByText(en.form.success).waitFor();
  assert.equal(backend.signups.length, 1);
}

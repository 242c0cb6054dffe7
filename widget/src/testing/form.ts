/** One form in a page, as its visitor finds it. */
import type { Page } from "playwright-core";
import { en } from "../../../shared/texts/en.ts";
import { type Site, until } from "./site.ts";

export const FORM = '<cfbe-form form="footer"><a href="/form">Subscribe by hand</a></cfbe-form>';
export const FULL = {
  nameField: "optional" as const,
  interests: [{ tag: "news", label: "News" }, { tag: "offers", label: "Offers" }],
  consent: "required" as const,
  consentText: "I have read the [privacy policy](https://shop.example/privacy).",
};

export const state = (page: Page, name: string): Promise<boolean> =>
  page.evaluate((name) => document.querySelector("cfbe-form")!.matches(`:state(${name})`), name);
export const email = (page: Page) => page.getByLabel(en.emailLabel);
export const button = (page: Page) => page.locator("[part=button]");
/** The form's own sentence, when there is one to see. */
export const message = (page: Page) => page.locator("[part=message]:visible:not(.busy *)");

/** Submits, and lets time pass until the form has an answer. */
export async function submit({ page }: Site): Promise<void> {
  await button(page).click();
  await until(page, "an answer", async () => await state(page, "success") || await state(page, "error"));
}

/** Lets time pass until the signup has gone through. */
export const submitEnds = ({ page }: Site) => until(page, "success", () => state(page, "success"));

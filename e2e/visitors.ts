/** Visitors with separate browser contexts, who share only what a cache gives to all of them. */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { SignupStatus } from "../server/operations/remote/signup_status.ts";
import { type RunningProgram, waitUntil } from "./program.ts";

const SOON_MS = 15_000;

export interface Visit {
  page: Page;
  /** HTML of the page, as received. */
  html: string;
  /** Response headers of the page. */
  headers: Record<string, string>;
  /** Headers of every other response, by method and path. */
  responses: Map<string, Record<string, string>>;
  /** Console messages and uncaught errors. */
  console: string[];
}

/** Opens a page as a first-time visitor. */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ locale: "en" });
  const page = await context.newPage();
  const console: string[] = [];
  const responses: Visit["responses"] = new Map();
  page.on("console", (message) => console.push(message.text()));
  page.on("pageerror", (error) => console.push(String(error)));
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    responses.set(`${response.request().method()} ${pathname}`, response.headers());
  });
  const response = await page.goto(url);
  assert.ok(response);
  return { page, html: await response.text(), headers: response.headers(), responses, console };
}

/** Fills in and submits the form. */
export async function submitForm({ page }: Visit, email: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Subscribe" }).click();
}

/** Submits the form and waits for the success message. */
export async function signUp(visit: Visit, email: string): Promise<void> {
  await submitForm(visit, email);
  await visit.page.getByText("please check your inbox").last().waitFor({ timeout: SOON_MS });
}

/** Returns the status of the signup of an email address, which must exist. */
export async function statusOf(program: RunningProgram, email: string): Promise<SignupStatus> {
  const [status] = await program.status(email);
  assert.ok(status, `no record of ${email}`);
  return status;
}

/** Waits until the record of an email address has a status. */
export function waitForStatus(program: RunningProgram, email: string, status: string): Promise<void> {
  return waitUntil(
    `${email} becomes ${status}`,
    SOON_MS,
    async () => (await statusOf(program, email)).record.status === status,
  );
}

/** Waits for the confirmation email in the sandbox, and opens its link. */
export async function confirm(program: RunningProgram, email: string): Promise<void> {
  const path = `/sandbox/inbox.json?email=${encodeURIComponent(email)}`;
  let link: string | undefined;
  await waitUntil("the confirmation email arrives", SOON_MS, async () => {
    const { mails } = await program.json<{ mails: { links: { confirm?: string } }[] }>(path);
    return (link = mails[0]?.links.confirm) !== undefined;
  });
  const response = await fetch(link!);
  await response.body?.cancel();
  assert.ok(response.ok, `${link}: ${response.status}`);
}

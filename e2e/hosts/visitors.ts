/** Visitors with browsers of their own, who share nothing but what a cache gives to all. */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { SignupStatus } from "../../server/ops/operations.ts";
import { eventually, type RunningProgram } from "../program.ts";

const SOON_MS = 15_000;

export interface Visit {
  page: Page;
  /** The page as it came over the network. */
  bytes: string;
  /** Of the page's answer. */
  headers: Record<string, string>;
  /** Headers of each other answer that the page got, by method and path. */
  answers: Map<string, Record<string, string>>;
  /** What the console showed. */
  said: string[];
}

/** Opens a page as somebody who has never been there. */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ locale: "en" });
  const page = await context.newPage();
  const said: string[] = [];
  const answers: Visit["answers"] = new Map();
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    answers.set(`${response.request().method()} ${pathname}`, response.headers());
  });
  const response = await page.goto(url);
  assert.ok(response);
  return { page, bytes: await response.text(), headers: response.headers(), answers, said };
}

/** Fills in and sends the form. */
export async function signUp({ page }: Visit, email: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Subscribe" }).click();
}

/** Signs up and waits until the visitor reads that it worked. */
export async function signsUp(visit: Visit, email: string): Promise<void> {
  await signUp(visit, email);
  await visit.page.getByText("please check your inbox").last().waitFor({ timeout: SOON_MS });
}

export async function statusOf(program: RunningProgram, email: string): Promise<SignupStatus> {
  const [status] = await program.status(email);
  assert.ok(status, `no record of ${email}`);
  return status;
}

/** Waits until the record of an address has come to this status. */
export function becomes(program: RunningProgram, email: string, status: string): Promise<void> {
  return eventually(
    `${email} becomes ${status}`,
    SOON_MS,
    async () => (await statusOf(program, email)).record.status === status,
  );
}

/** Opens the link of the confirmation mail. */
export async function confirm(program: RunningProgram, email: string): Promise<void> {
  const path = `/sandbox/inbox.json?email=${encodeURIComponent(email)}`;
  let link: string | undefined;
  await eventually("the mail arrives", SOON_MS, async () => {
    const { mails } = await program.json<{ mails: { links: { confirm?: string } }[] }>(path);
    return (link = mails[0]?.links.confirm) !== undefined;
  });
  const response = await fetch(link!);
  await response.body?.cancel();
  assert.ok(response.ok, `${link}: ${response.status}`);
}

/** The pages that the documentation shows, and how to get to each. */
import type { Page } from "playwright-core";
import type { ProgramName } from "./programs.ts";
import { PICTURED } from "./sample_data.ts";
import { waitUntil } from "../program.ts";
import type { ExamplePage } from "./example_page.ts";

const DESKTOP = { width: 1200, height: 800 };
const SOON_MS = 15_000;
const PHONE = { width: 390, height: 844 };

/** What a scene needs. */
interface Stage {
  page: Page;
  /** URL of the scene's program. */
  baseUrl: string;
  /** A page of a shop with the script of the live program. */
  example: ExamplePage;
}

export interface Scene {
  /** Name of the picture's file, without ending. */
  name: string;
  program: ProgramName;
  /** In pixels of the page; `fit` makes it as high as the page, up to this height. */
  size: { width: number; height: number; fit?: boolean };
  /** Leads to what is pictured. */
  open(stage: Stage): Promise<void>;
}

/** A page of the admin, as high as it is. */
const admin = (name: string, path: string, height = 900): Scene => ({
  name,
  program: "sample",
  size: { ...DESKTOP, height, fit: true },
  open: async ({ page, baseUrl }) => void await page.goto(`${baseUrl}/admin${path}`),
});

/** Those that need no sample data come first, because that takes the longest to start. */
export const SCENES: readonly Scene[] = [
  {
    name: "form-on-page",
    program: "live",
    size: { width: 1200, height: 720 },
    open: ({ page, example }) => openForm(page, example),
  },
  { name: "popup", program: "live", size: { width: 1200, height: 720 }, open: openPopup },
  { name: "popup-phone", program: "live", size: PHONE, open: openPopup },
  {
    name: "signed-up",
    program: "live",
    size: { width: 1200, height: 720 },
    async open({ page, example }) {
      await openForm(page, example);
      await signUp(page, "ada@example.com");
    },
  },
  {
    name: "inbox",
    program: "live",
    size: { ...DESKTOP, fit: true },
    async open({ page, baseUrl, example }) {
      await openForm(page, example);
      await signUp(page, "alan@example.com");
      await waitUntil("the confirmation email has arrived", SOON_MS, async () => {
        await page.goto(`${baseUrl}/sandbox?email=alan@example.com`);
        return await page.getByText("Confirm").first().isVisible();
      });
    },
  },
  {
    name: "demo",
    program: "live",
    size: { width: 1200, height: 760 },
    async open({ page, baseUrl }) {
      await page.goto(`${baseUrl}/demo`);
      await signUp(page, "grace@example.com");
      const opened = page.waitForEvent("popup");
      await page.getByRole("link", { name: "Open the confirmation link" }).click();
      const inbox = await opened;
      // Closed before, it would not have sent its request.
      await inbox.waitForLoadState();
      await inbox.close();
      await page.getByText("Reported by webhook.").waitFor();
    },
  },
  { ...admin("setup", "/first-run", 1000), program: "empty" },
  { ...admin("provider", "/provider", 1250), program: "empty" },
  // Before the other pages of the sample, because it shows which of them were opened.
  admin("audit", "/audit"),
  admin("overview", "/overview?days=30", 1000),
  admin("sources", "/sources?days=30", 1000),
  admin("forms", "/forms"),
  {
    ...admin("form", "/forms"),
    async open({ page, baseUrl }) {
      await page.goto(`${baseUrl}/admin/forms`);
      await page.getByRole("link", { name: "article" }).first().click();
      await page.frameLocator("iframe").first().getByLabel("Email address").waitFor();
    },
  },
  {
    ...admin("subscribers", "/subscribers"),
    async open({ page, baseUrl }) {
      await page.goto(`${baseUrl}/admin/subscribers`);
      // A script shows it.
      await page.getByLabel("All on this page").waitFor();
    },
  },
  { name: "person", program: "sample", size: { ...DESKTOP, height: 1000, fit: true }, open: openPerson },
  { name: "person-phone", program: "sample", size: PHONE, open: openPerson },
  admin("coupons", "/coupon", 1000),
  admin("jobs", "/jobs?state=dead"),
  admin("alerts", "/alerts"),
  {
    ...admin("users", "/users"),
    async open({ page, baseUrl }) {
      await page.goto(`${baseUrl}/admin/users`);
      await page.getByLabel("Name").fill("radia");
      await page.getByLabel("Role", { exact: true }).selectOption("viewer");
      await page.getByRole("button", { name: "Create invitation" }).click();
      await page.getByLabel("Link", { exact: true }).waitFor();
    },
  },
];

export async function openPerson({ page, baseUrl }: Pick<Stage, "page" | "baseUrl">): Promise<void> {
  await page.goto(`${baseUrl}/admin/subscribers`);
  await page.getByRole("searchbox", { name: "Email address" }).fill(PICTURED);
  await page.getByRole("searchbox", { name: "Email address" }).press("Enter");
  await page.getByRole("heading", { name: "1 result" }).waitFor();
  await page.getByRole("link", { name: PICTURED, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: PICTURED }).waitFor();
}

async function openForm(page: Page, example: ExamplePage): Promise<void> {
  await page.goto(example.url);
  await page.locator("main cfbe-form").getByLabel("Email address").waitFor();
}

async function openPopup({ page, example }: Stage): Promise<void> {
  await openForm(page, example);
  await page.getByRole("button", { name: "15% off" }).click();
  await page.locator("cfbe-popup dialog:modal").getByLabel("Email address").waitFor();
}

/** Fills in the page's form. */
async function signUp(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email address").first().fill(email);
  await page.getByRole("button", { name: "Subscribe" }).first().click();
  await page.getByText("check your inbox").first().waitFor();
}

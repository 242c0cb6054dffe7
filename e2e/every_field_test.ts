/**
 * Every kind of field, from outside: through the widget, own markup, the form's page without JavaScript and an integration,
 * into the record, the export and the provider, until it is erased.
 */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { SignupRecord } from "../server/signup/record/row.ts";
import { ADMIN_PASSWORD, openAdmin } from "./admin_pages.ts";
import { browserOfFile } from "./browser.ts";
import { createFormWithEveryField, EVERY_VALUE, fillEveryField } from "./every_field.ts";
import { API_TOKEN, type RunningProgram, runProgram, waitUntil } from "./program.ts";

const SOON_MS = 15_000;

const openedBrowser = browserOfFile();

const OWN_MARKUP = `
  <label>Email <input name="email" type="email" required></label>
  <label>My firstName <input name="fields[my_firstname]"></label>
  <label>My lastName <input name="fields[my_lastname]"></label>
  <label>My text <input name="fields[my_text]"></label>
  <label>My number <input name="fields[my_number]" type="number" step="any"></label>
  <label>My date <input name="fields[my_date]" type="date"></label>
  <label>My phone <input name="fields[my_phone]" type="tel"></label>
  <label>My country <select name="fields[my_country]"><option value="">-<option value="DE">Germany</select></label>
  <label>My select <select name="fields[my_select]"><option value="">-<option>Small<option>Large</select></label>
  <label><input type="radio" name="fields[my_radio]" value="Small"> Small</label>
  <label><input type="checkbox" name="fields[my_multiselect]" value="Small"> Small</label>
  <label><input type="checkbox" name="fields[my_multiselect]" value="Large"> Large</label>
  <label><input type="checkbox" name="fields[my_checkbox]"> My checkbox</label>
  <label><input type="checkbox" name="fields[my_consent]"> My consent</label>
  <button>Subscribe</button> <output data-cfbe-message></output>`;

/** Returns the page of a site with the form, in a way of embedding it. */
function sitePage(baseUrl: string, how: string): string {
  const form = how === "/own"
    ? `<form data-cfbe-form="club" data-shop="berlin" action="${baseUrl}/form/club" method="post">${OWN_MARKUP}</form>`
    : `<cfbe-form form="club" data-shop="berlin"></cfbe-form>`;
  return `<!doctype html><html lang="en"><title>A shop</title>
    <script async src="${baseUrl}/cfbe.js"></script><h1>A shop</h1>${form}</html>`;
}

async function submit(page: Page, email: string): Promise<void> {
  await page.getByLabel(/^Email/).fill(email);
  await fillEveryField(page);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText("please check your inbox").last().waitFor({ timeout: SOON_MS });
}

/** Signs up on the form's own page. A token has to be three seconds old, so the page may ask to submit once more. */
async function submitOnFormPage(browser: Browser, url: string, email: string): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel(/^Email/).fill(email);
  await fillEveryField(page);
  const done = page.getByText("please check your inbox");
  for (let tries = 0; tries < 20 && await done.count() === 0; tries++) {
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.waitForLoadState();
    if (await done.count() === 0) await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await done.waitFor({ timeout: SOON_MS });
  await context.close();
}

async function integrate({ baseUrl }: RunningProgram, email: string): Promise<void> {
  const response = await fetch(`${baseUrl}/integrations/signup`, {
    method: "POST",
    headers: { authorization: `Bearer ${API_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ source: "integration", form: "club", email, fields: EVERY_VALUE }),
  });
  assert.equal(response.status, 200, await response.text());
}

/** Returns the answers in the records, by address. */
async function answersOf(program: RunningProgram): Promise<Record<string, unknown>> {
  const { records } = await program.json<{ records: SignupRecord[] }>("/ops/signups", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  return Object.fromEntries(records.map(({ email, fields }) => [email, fields]));
}

/** Returns the properties of a contact that the sandbox shows. */
async function propertiesOf({ baseUrl }: RunningProgram, email: string): Promise<string | undefined> {
  const html = await (await fetch(`${baseUrl}/sandbox/contacts`)).text();
  return html.split("<tr>").find((row) => row.includes(`<td class="to">${email}`));
}

Deno.test("every field arrives from every door in record, export, CSV file and provider, and is erased everywhere, with tokens three seconds old", async () => {
  await using program = await runProgram({ CFBE_ADMIN_PASSWORD: ADMIN_PASSWORD });
  await createFormWithEveryField(program, "club");
  const { hostname, port } = new URL(program.baseUrl);
  await using site = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const html = sitePage(program.baseUrl, new URL(request.url).pathname);
    return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
  });
  const browser = openedBrowser();

  const page = await browser.newPage();
  for (const how of ["widget", "own"]) {
    await page.goto(`http://127.0.0.1:${site.addr.port}/${how}`);
    await submit(page, `${how}@example.com`);
  }
  await submitOnFormPage(browser, `http://${hostname}:${port}/form/club`, "page@example.com");
  await integrate(program, "server@example.com");

  const { my_hidden: _, ...withoutHidden } = EVERY_VALUE;
  const people: Record<string, Partial<typeof EVERY_VALUE>> = {
    "widget@example.com": EVERY_VALUE,
    "own@example.com": EVERY_VALUE,
    // The page of the form has no attribute of the site.
    "page@example.com": withoutHidden,
    "server@example.com": EVERY_VALUE,
  };
  await waitUntil("all are at the provider", SOON_MS, async () => {
    const rows = await Promise.all(Object.keys(people).map((email) => propertiesOf(program, email)));
    return rows.every((row) => row !== undefined);
  });
  assert.deepEqual(await answersOf(program), people);
  for (const [email, values] of Object.entries(people)) {
    const shown = (await propertiesOf(program, email))!;
    for (const text of ["ACME", "Byron", "+49301234567", "1990-07-14", "DE", "Small, Large", "yes"]) {
      assert.ok(shown.includes(text), `${email}: ${text} in ${shown}`);
    }
    assert.equal(shown.includes("berlin"), "my_hidden" in values);
  }

  const admin = await openAdmin(browser, program.baseUrl, { name: "admin", password: ADMIN_PASSWORD });
  await admin.signIn();
  await admin.open("/subscribers");
  await admin.page.getByText("Filters", { exact: true }).click();
  await admin.page.getByLabel("Field", { exact: true }).selectOption("my_select");
  await admin.page.getByLabel("Answer", { exact: true }).fill("large");
  await admin.page.getByRole("button", { name: "Apply filters" }).click();
  await admin.page.getByRole("heading", { name: "4 results" }).waitFor();
  const download = admin.page.waitForEvent("download");
  await admin.page.getByRole("link", { name: "Export CSV" }).click();
  // A shared browser's own copy cannot be read.
  const file = `${program.folder}/subscribers.csv`;
  await (await download).saveAs(file);
  const csv = await Deno.readTextFile(file);
  const [header, ...rows] = csv.trim().split("\r\n");
  assert.deepEqual(
    Object.keys(EVERY_VALUE).filter((name) => !header!.split(",").includes(`field_${name}`)),
    [],
  );
  assert.equal(rows.length, 4);
  // A spreadsheet would run what starts with a plus.
  for (const row of rows) assert.ok(row.includes("'+49301234567"), row);

  const erased = "widget@example.com";
  assert.match(await program.cfbe("export", erased), /ACME/);
  await program.cfbe("erase", erased, "--provider", "--yes");
  await waitUntil(
    "the provider has erased the person",
    SOON_MS,
    async () => await propertiesOf(program, erased) === undefined,
  );
  assert.deepEqual(Object.keys(await answersOf(program)).includes(erased), false);
  assert.doesNotMatch(await program.cfbe("export", erased), /ACME|Byron|berlin/);
});
